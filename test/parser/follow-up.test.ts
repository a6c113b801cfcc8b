import { describe, expect, it } from 'vitest'
import { assumptionText } from '../../src/domain/answer-wording/assumptions.ts'
import { findSameMeaning } from '../../src/parser/follow-up/read-follow-up.ts'
import { follow, followed } from './follow.ts'

const inYear = 'How many loans were there in 2025?'

const inTown = 'How many members live in Elmford?'

const byGenre = 'How many books are there by genre?'

const average = 'What is the average number of pages of books?'

const list = 'Show all members from Elmford'

describe('a change of the question before', () => {
  it.each([
    [inTown, 'only those older than 30', "town = 'Elmford' AND age > 30"],
    [byGenre, 'only crime', "WHERE genre = 'crime' GROUP BY genre"],
    [byGenre, 'only crime and poetry', "WHERE genre = 'crime' OR genre = 'poetry' GROUP BY genre"],
    [byGenre, 'without poetry', "WHERE genre <> 'poetry' GROUP BY genre"],
    [
      'How many loans were there by month?',
      'just the Harbour House branch',
      "branches.name = 'Harbour House'",
    ],
    [
      'How many loans were there by month?',
      'in 2025 only',
      "lent_at >= '2025-01-01' AND lent_at < '2026-01-01' GROUP BY",
    ],
  ])('filters: %s %s', (first, said, sql) => {
    expect(followed(first, said)).toContain(sql)
  })

  it.each([
    [inTown, 'and Stonebridge?', "WHERE town = 'Stonebridge'"],
    [inTown, 'what about Stonebridge', "WHERE town = 'Stonebridge'"],
    [inTown, 'Stonebridge too', "WHERE town = 'Elmford' OR town = 'Stonebridge'"],
    [inYear, 'what about 2024?', "lent_at >= '2024-01-01' AND lent_at < '2025-01-01'"],
    [inYear, 'and last month?', "lent_at >= '2026-10-01' AND lent_at < '2026-11-01'"],
    // A month without a year is that of the year that was asked about.
    [inYear, 'and March?', "lent_at >= '2025-03-01' AND lent_at < '2025-04-01'"],
  ])('replaces a value or a period: %s %s', (first, said, sql) => {
    expect(followed(first, said)).toContain(sql)
  })

  it.each([
    [inYear, 'and by month?', "GROUP BY date(lent_at, 'start of month')"],
    [average, 'per genre', 'SELECT genre, AVG(pages) AS average_pages FROM books GROUP BY genre'],
    [byGenre, 'and by author?', 'GROUP BY books.genre, authors.id, authors.name'],
    [byGenre, 'per author instead', 'GROUP BY authors.id, authors.name'],
    [
      'How many loans were there by month?',
      'by week instead',
      "GROUP BY date(lent_at, '-6 days', 'weekday 1')",
    ],
  ])('groups: %s %s', (first, said, sql) => {
    expect(followed(first, said)).toContain(sql)
  })

  it.each([
    [byGenre, 'top 2', 'ORDER BY COUNT(*) DESC LIMIT 2'],
    [byGenre, 'the bottom three', 'ORDER BY COUNT(*) LIMIT 3'],
    [list, 'only the first 10', "WHERE town = 'Elmford' LIMIT 10"],
    [byGenre, 'lowest first', 'GROUP BY genre ORDER BY COUNT(*)'],
    [byGenre, 'sort by highest', 'ORDER BY COUNT(*) DESC'],
    [list, 'sorted by age', 'ORDER BY age'],
  ])('orders and cuts: %s %s', (first, said, sql) => {
    expect(followed(first, said)).toContain(sql)
  })

  it.each([
    [average, 'total instead', 'SELECT SUM(pages) AS total_pages FROM books'],
    [
      average,
      'and the maximum?',
      'SELECT AVG(pages) AS average_pages, MAX(pages) AS highest_pages FROM books',
    ],
    [byGenre, 'average pages instead', 'SELECT genre, AVG(pages) AS average_pages FROM books GROUP BY genre'],
    [inTown, 'who are they?', "SELECT first_name, last_name FROM members WHERE town = 'Elmford'"],
    [list, 'how many are there?', "SELECT COUNT(*) AS number_of_members FROM members WHERE town = 'Elmford'"],
  ])('measures otherwise: %s %s', (first, said, sql) => {
    expect(followed(first, said)).toBe(sql)
  })

  it('shows the same as a chart', () => {
    const read = follow(byGenre, 'as a chart')
    expect(read).toMatchObject({ kind: 'edit', show: 'chart' })
  })

  it('builds on changes before it', () => {
    expect(followed(inYear, 'by month', 'only Harbour House', 'top 3')).toBe(
      "SELECT date(loans.lent_at, 'start of month') AS month, COUNT(*) AS number_of_loans FROM loans JOIN branches ON loans.branch_id = branches.id WHERE loans.lent_at >= '2025-01-01' AND loans.lent_at < '2026-01-01' AND branches.name = 'Harbour House' GROUP BY date(loans.lent_at, 'start of month') ORDER BY COUNT(*) DESC LIMIT 3",
    )
  })

  it('says how it was read, and puts it into a whole question', () => {
    const read = follow(inTown, 'and Stonebridge?')
    if (read.kind !== 'edit') throw new Error(read.kind)
    expect(read.text).toBe('How many members live in Stonebridge')
    expect(read.readings[0]?.assumptions.map(assumptionText)).toEqual([
      'Same as before, now Stonebridge (town of the member).',
    ])
  })

  it('is no surer than what it changes', () => {
    const read = follow(inTown, 'who are they?')
    expect(read.kind === 'edit' && read.readings.every(({ confidence }) => confidence < 0.9)).toBe(true)
  })

  it('leaves open what may mean either of two columns, as two decisions', () => {
    const read = follow(inYear, 'only Elmford')
    if (read.kind !== 'edit') throw new Error(read.kind)
    const choices = read.readings
      .slice(0, 2)
      .flatMap(({ decisions }) => decisions.map(({ choice }) => choice))
    expect(choices).toEqual(
      expect.arrayContaining(['loans.pickup_town = Elmford', 'loans.delivery_town = Elmford']),
    )
  })
})

describe('what is no change', () => {
  it.each([
    [byGenre, 'how many members are there?'],
    [byGenre, 'and how many members live in Elmford?'],
    [byGenre, 'average age of members by town'],
    [byGenre, 'which authors were born before 1900?'],
  ])('a question of its own: %s %s', (first, said) => {
    expect(follow(first, said).kind).toBe('new')
  })

  it('says what it could not read, and what can be changed', () => {
    expect(follow(byGenre, 'only unicorns')).toMatchObject({
      kind: 'unreadable',
      problem: { code: 'unknown-words', words: ['unicorns'] },
      examples: ['top 5', 'only crime'],
    })
  })

  it('asks of what, where rows were counted', () => {
    expect(follow(byGenre, 'average instead')).toMatchObject({
      kind: 'unreadable',
      examples: ['average pages instead'],
    })
  })

  it('puts words together where the answer is none of its own', () => {
    const read = follow(byGenre, 'top 2', 'only crime')
    expect(read.kind).toBe('edit')
  })
})

describe('findSameMeaning', () => {
  const readings = [
    { sql: "SELECT COUNT(*) AS number_of_members FROM members WHERE town = 'Elmford'" },
    { sql: 'SELECT genre, COUNT(*) AS books FROM books GROUP BY genre ORDER BY COUNT(*) DESC' },
    { sql: 'SELECT genre, COUNT(*) AS books FROM books GROUP BY genre ORDER BY COUNT(*) DESC LIMIT 3' },
  ]

  it.each([
    ["select count(*) as members from members m where 'Elmford' = m.town", 0],
    ['SELECT b.genre, COUNT(*) FROM books AS b GROUP BY b.genre', 1],
    ['SELECT genre, COUNT(*) AS n FROM books GROUP BY genre ORDER BY COUNT(*) DESC LIMIT 3', 2],
  ])('finds the reading that another reader wrote in its own way: %s', (sql, at) => {
    expect(findSameMeaning(readings, sql, 'sqlite')).toBe(readings[at])
  })

  it.each([
    "SELECT COUNT(*) FROM members WHERE town = 'Stonebridge'",
    'SELECT genre, COUNT(*) FROM books GROUP BY genre ORDER BY COUNT(*) LIMIT 3',
    'SELECT genre, COUNT(*) FROM books WHERE pages > 100 GROUP BY genre',
    'this is no SQL',
  ])('finds none for an answer that says something else: %s', sql => {
    expect(findSameMeaning(readings, sql, 'sqlite')).toBeNull()
  })
})
