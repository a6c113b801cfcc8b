import { describe, expect, it } from 'vitest'
import { read, readFirst } from '../read.ts'

/** Everyday questions that need more than one table of the library. */
describe('conditions on a joined table', () => {
  it.each([
    [
      'titles of books by Kenyan authors',
      "SELECT books.title FROM books JOIN authors ON books.author_id = authors.id WHERE authors.nationality = 'Kenyan'",
    ],
    [
      'names of authors of poetry books',
      "SELECT DISTINCT authors.name FROM authors JOIN books ON authors.id = books.author_id WHERE books.genre = 'poetry'",
    ],
    [
      'how many loans did members from Elmford make',
      "SELECT COUNT(*) AS number_of_loans FROM loans JOIN members ON loans.member_id = members.id WHERE members.town = 'Elmford'",
    ],
    [
      'which books were lent in the Riverside district',
      "SELECT DISTINCT books.title FROM books JOIN loans ON books.id = loans.book_id JOIN branches ON loans.branch_id = branches.id WHERE branches.district = 'Riverside'",
    ],
    [
      'which members borrowed crime books',
      "SELECT DISTINCT members.first_name, members.last_name FROM members JOIN loans ON members.id = loans.member_id JOIN books ON loans.book_id = books.id WHERE books.genre = 'crime'",
    ],
    [
      'authors with both crime and poetry books',
      "SELECT DISTINCT authors.name FROM authors JOIN books ON authors.id = books.author_id WHERE books.genre = 'crime' INTERSECT SELECT DISTINCT authors.name FROM authors JOIN books ON authors.id = books.author_id WHERE books.genre = 'poetry'",
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('figures of two values', () => {
  it('are told apart', () => {
    expect(readFirst('average pages of crime and poetry books')).toBe(
      "SELECT genre, AVG(pages) AS average_pages FROM books WHERE genre = 'crime' OR genre = 'poetry' GROUP BY genre",
    )
  })
})

describe('who has none', () => {
  it.each([
    [
      'members without loans',
      'SELECT first_name, last_name FROM members WHERE id NOT IN (SELECT member_id FROM loans)',
    ],
    [
      'members without loans of poetry books',
      "SELECT first_name, last_name FROM members WHERE id NOT IN (SELECT loans.member_id FROM loans JOIN books ON loans.book_id = books.id WHERE books.genre = 'poetry')",
    ],
    [
      'branches with no loans of crime books',
      "SELECT name FROM branches WHERE id NOT IN (SELECT loans.branch_id FROM loans JOIN books ON loans.book_id = books.id WHERE books.genre = 'crime')",
    ],
    [
      'how many members have not borrowed books by Kenyan authors',
      "SELECT COUNT(*) AS number_of_members FROM members WHERE id NOT IN (SELECT loans.member_id FROM loans JOIN books ON loans.book_id = books.id JOIN authors ON books.author_id = authors.id WHERE authors.nationality = 'Kenyan')",
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })

  it('is never looked for among rows that have one', () => {
    const contradictory = read('members without loans of poetry books').filter(({ sql }) =>
      /JOIN loans[\s\S]*NOT IN \(SELECT (loans\.)?member_id FROM loans\)/.test(sql),
    )
    expect(contradictory).toEqual([])
  })
})

describe('groups of a joined table', () => {
  it.each([
    [
      'number of loans per branch',
      'SELECT branches.name, COUNT(*) AS number_of_loans FROM loans JOIN branches ON loans.branch_id = branches.id GROUP BY branches.id, branches.name',
    ],
    [
      'number of loans per member',
      'SELECT members.first_name, members.last_name, COUNT(*) AS number_of_loans FROM loans JOIN members ON loans.member_id = members.id GROUP BY members.id, members.first_name, members.last_name',
    ],
    [
      'loans per genre',
      'SELECT books.genre, COUNT(*) AS number_of_loans FROM loans JOIN books ON loans.book_id = books.id GROUP BY books.genre',
    ],
    [
      'average pages of books per author',
      'SELECT authors.name, AVG(books.pages) AS average_pages FROM books JOIN authors ON books.author_id = authors.id GROUP BY authors.id, authors.name',
    ],
    [
      'sum of fines by branch',
      'SELECT branches.name, SUM(loans.fine_cents) AS total_fine_cents FROM loans JOIN branches ON loans.branch_id = branches.id GROUP BY branches.id, branches.name',
    ],
    [
      'total fines per district',
      'SELECT branches.district, SUM(loans.fine_cents) AS total_fine_cents FROM loans JOIN branches ON loans.branch_id = branches.id GROUP BY branches.district',
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('rows with many, few or no rows of another table', () => {
  it.each([
    ['authors without books', 'SELECT name FROM authors WHERE id NOT IN (SELECT author_id FROM books)'],
    ['branches without loans', 'SELECT name FROM branches WHERE id NOT IN (SELECT branch_id FROM loans)'],
    ['books that were never lent', 'SELECT title FROM books WHERE id NOT IN (SELECT book_id FROM loans)'],
    [
      'authors with more than 5 books',
      'SELECT authors.name FROM authors JOIN books ON authors.id = books.author_id GROUP BY authors.id, authors.name HAVING COUNT(*) > 5',
    ],
    [
      'books with at least 10 loans',
      'SELECT books.title FROM books JOIN loans ON books.id = loans.book_id GROUP BY books.id, books.title HAVING COUNT(*) >= 10',
    ],
    [
      'which branch has the most loans',
      'SELECT branches.name FROM branches JOIN loans ON branches.id = loans.branch_id GROUP BY branches.id, branches.name ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'which author has the fewest books',
      'SELECT authors.name FROM authors JOIN books ON authors.id = books.author_id GROUP BY authors.id, authors.name ORDER BY COUNT(*) LIMIT 1',
    ],
    [
      'top 10 books by number of loans',
      'SELECT books.title FROM books JOIN loans ON books.id = loans.book_id GROUP BY books.id, books.title ORDER BY COUNT(*) DESC LIMIT 10',
    ],
    [
      'top 5 authors by number of books',
      'SELECT authors.name FROM authors JOIN books ON authors.id = books.author_id GROUP BY authors.id, authors.name ORDER BY COUNT(*) DESC LIMIT 5',
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})
