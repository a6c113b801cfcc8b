import { describe, expect, it } from 'vitest'
import { follow, followed } from '../follow.ts'

const inYear = 'How many loans were there in 2025?'
const perMonth = 'How many loans were there by month?'
const inTown = 'How many members live in Elmford?'
const byGenre = 'How many books are there by genre?'
const average = 'What is the average number of pages of books?'
const fines = 'What is the total fine of all loans?'
const list = 'Show all members from Elmford'
const top = 'top 5 books by number of loans'

const month = "date(lent_at, 'start of month')"
const loansByBranch =
  'SELECT branches.name, COUNT(*) AS number_of_loans FROM loans JOIN branches ON loans.branch_id = branches.id'

describe('a filter that is added', () => {
  it.each([
    [inTown, 'only those younger than 18', "WHERE town = 'Elmford' AND age < 18"],
    [inTown, 'just members older than 65', "WHERE town = 'Elmford' AND age > 65"],
    [list, 'older than 40', "WHERE town = 'Elmford' AND age > 40"],
    [
      list,
      'only those who joined in 2025',
      "WHERE town = 'Elmford' AND joined_on >= '2025-01-01' AND joined_on < '2026-01-01'",
    ],
    [byGenre, 'except poetry', "WHERE genre <> 'poetry' GROUP BY genre"],
    [byGenre, 'with more than 300 pages', 'WHERE pages > 300 GROUP BY genre'],
    [byGenre, 'only by Irish authors', "WHERE authors.nationality = 'Irish' GROUP BY books.genre"],
    [
      perMonth,
      'only this year',
      `WHERE lent_at >= '2026-01-01' AND lent_at < '2027-01-01' GROUP BY ${month}`,
    ],
    [perMonth, 'since June', `WHERE lent_at >= '2026-06-01' GROUP BY ${month}`],
    [perMonth, 'at Old Mill', "WHERE branches.name = 'Old Mill'"],
  ])('%s %s', (first, said, sql) => {
    expect(followed(first, said)).toContain(sql)
  })
})

describe('a value or a period that is replaced', () => {
  it.each([
    [inTown, 'how about Stonebridge?', "WHERE town = 'Stonebridge'"],
    [inTown, 'same for Stonebridge', "WHERE town = 'Stonebridge'"],
    [inYear, 'and in 2023?', "WHERE lent_at >= '2023-01-01' AND lent_at < '2024-01-01'"],
    // A quarter without a year is that of the year that was asked about.
    [inYear, 'and in Q1?', "WHERE lent_at >= '2025-01-01' AND lent_at < '2025-04-01'"],
  ])('%s %s', (first, said, sql) => {
    expect(followed(first, said).endsWith(sql)).toBe(true)
  })
})

describe('a grouping', () => {
  it.each([
    [perMonth, 'by branch instead', `${loansByBranch} GROUP BY branches.id, branches.name`],
    [
      inYear,
      'by branch',
      `${loansByBranch} WHERE loans.lent_at >= '2025-01-01' AND loans.lent_at < '2026-01-01' GROUP BY branches.id, branches.name`,
    ],
    [
      average,
      'by author',
      'SELECT authors.name, AVG(books.pages) AS average_pages FROM books JOIN authors ON books.author_id = authors.id GROUP BY authors.id, authors.name',
    ],
    [
      fines,
      'per year',
      "SELECT date(lent_at, 'start of year') AS year, SUM(fine_cents) AS total_fine_cents FROM loans GROUP BY date(lent_at, 'start of year') ORDER BY date(lent_at, 'start of year')",
    ],
  ])('%s %s', (first, said, sql) => {
    expect(followed(first, said)).toBe(sql)
  })

  it.each([
    [inYear, 'split by genre', 'GROUP BY books.genre'],
    [inYear, 'broken down by district', 'GROUP BY branches.district'],
    [
      perMonth,
      'and by branch?',
      "GROUP BY date(loans.lent_at, 'start of month'), branches.id, branches.name",
    ],
  ])('%s %s', (first, said, sql) => {
    expect(followed(first, said)).toContain(sql)
  })
})

describe('an order, a limit or another measure', () => {
  it.each([
    [byGenre, 'highest first', 'GROUP BY genre ORDER BY COUNT(*) DESC'],
    [byGenre, 'ascending', 'GROUP BY genre ORDER BY COUNT(*)'],
    [list, 'sort by last name', "WHERE town = 'Elmford' ORDER BY last_name"],
    [list, 'first 3', "WHERE town = 'Elmford' LIMIT 3"],
    [top, 'only the top 3', 'ORDER BY COUNT(*) DESC LIMIT 3'],
    [top, 'bottom 5 instead', 'ORDER BY COUNT(*) LIMIT 5'],
    [average, 'maximum instead', 'SELECT MAX(pages) AS highest_pages FROM books'],
    [average, 'sum instead', 'SELECT SUM(pages) AS total_pages FROM books'],
    [fines, 'average instead', 'SELECT AVG(fine_cents) AS average_fine_cents FROM loans'],
    [fines, 'count instead', 'SELECT COUNT(*) AS number_of_loans FROM loans'],
    [inTown, 'list them', "SELECT first_name, last_name FROM members WHERE town = 'Elmford'"],
  ])('%s %s', (first, said, sql) => {
    expect(followed(first, said).endsWith(sql)).toBe(true)
  })
})

describe('several changes, one after the other', () => {
  it.each([
    [byGenre, ['only crime', 'and poetry?'], "WHERE genre = 'poetry' GROUP BY genre"],
    [inTown, ['and Stonebridge?', 'older than 30'], "WHERE town = 'Stonebridge' AND age > 30"],
    [
      fines,
      ['by branch', 'in 2025', 'top 2'],
      "WHERE loans.lent_at >= '2025-01-01' AND loans.lent_at < '2026-01-01' GROUP BY branches.id, branches.name ORDER BY SUM(loans.fine_cents) DESC LIMIT 2",
    ],
  ])('%s %s', (first, said, sql) => {
    expect(followed(first, ...said).endsWith(sql)).toBe(true)
  })
})

describe('no change of the question before', () => {
  it.each([
    ['thanks', 'new'],
    ['how many branches are there?', 'new'],
    ['which branch has the most loans?', 'new'],
    ['only giraffes', 'unreadable'],
  ])('%s', (said, kind) => {
    expect(follow(byGenre, said).kind).toBe(kind)
  })
})
