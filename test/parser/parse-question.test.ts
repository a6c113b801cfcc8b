import fc from 'fast-check'
import { parse } from 'libpg-query'
import { describe, expect, it } from 'vitest'
import { assumptionText } from '../../src/domain/answer-wording/assumptions.ts'
import { emptyLibrary } from './library.ts'
import { read, readFirst } from './read.ts'
import { sentences } from './sentences.ts'

/** Many runs in one test; on a busy machine they may take a while. */
const PROPERTY_TIMEOUT = 60_000

describe('shapes', () => {
  it.each([
    ['how many members are there', 'SELECT COUNT(*) AS number_of_members FROM members'],
    ['list the titles of books with more than 300 pages', 'SELECT title FROM books WHERE pages > 300'],
    ['what are the names and nationalities of authors', 'SELECT name, nationality FROM authors'],
    [
      'maximum and minimum price of books',
      'SELECT MAX(price_cents) AS highest_price_cents, MIN(price_cents) AS lowest_price_cents FROM books',
    ],
    [
      'average age of members in Elmford',
      "SELECT AVG(age) AS average_age FROM members WHERE town = 'Elmford'",
    ],
    ['titles of crime or poetry books', "SELECT title FROM books WHERE genre = 'crime' OR genre = 'poetry'"],
    [
      'books with more pages than average',
      'SELECT title FROM books WHERE pages > (SELECT AVG(pages) FROM books)',
    ],
    [
      'how many different towns do members live in',
      'SELECT COUNT(DISTINCT town) AS number_of_town FROM members',
    ],
    ['books whose title contains Valley', "SELECT title FROM books WHERE title LIKE '%Valley%'"],
    [
      'first and last names of members older than 60',
      'SELECT first_name, last_name FROM members WHERE age > 60',
    ],
    ['members with no email', 'SELECT first_name, last_name FROM members WHERE email IS NULL'],
    ['books published before 1950', 'SELECT title FROM books WHERE published_year < 1950'],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('joined tables', () => {
  it.each([
    [
      'how many books did Polish authors write',
      "SELECT COUNT(*) AS number_of_books FROM books JOIN authors ON books.author_id = authors.id WHERE authors.nationality = 'Polish'",
    ],
    [
      'which author has the most books',
      'SELECT authors.name FROM authors JOIN books ON authors.id = books.author_id GROUP BY authors.id, authors.name ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'members with more than 3 loans',
      'SELECT members.first_name, members.last_name FROM members JOIN loans ON members.id = loans.member_id GROUP BY members.id, members.first_name, members.last_name HAVING COUNT(*) > 3',
    ],
    [
      'how many members do not have any loans',
      'SELECT COUNT(*) AS number_of_members FROM members WHERE id NOT IN (SELECT member_id FROM loans)',
    ],
    [
      'members without loans',
      'SELECT first_name, last_name FROM members WHERE id NOT IN (SELECT member_id FROM loans)',
    ],
    [
      'top 5 members by number of loans',
      'SELECT members.first_name, members.last_name FROM members JOIN loans ON members.id = loans.member_id GROUP BY members.id, members.first_name, members.last_name ORDER BY COUNT(*) DESC LIMIT 5',
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

describe('groups and periods', () => {
  it('counts per key of a joined table in the days of a period, cut in the asker’s time zone', () => {
    expect(readFirst('how many loans were there last month by district?', 'postgres')).toBe(
      "SELECT branches.district, COUNT(*) AS number_of_loans FROM loans JOIN branches ON loans.branch_id = branches.id WHERE loans.lent_at >= TIMESTAMP '2026-10-01 00:00:00' AT TIME ZONE 'Europe/Berlin' AND loans.lent_at < TIMESTAMP '2026-11-01 00:00:00' AT TIME ZONE 'Europe/Berlin' GROUP BY branches.district",
    )
  })

  it('adds up what only a comment calls by the word of the question, per month', () => {
    expect(readFirst('takings by month this year')).toBe(
      "SELECT date(lent_at, 'start of month') AS month, SUM(fine_cents) AS total_fine_cents FROM loans WHERE lent_at >= '2026-01-01' AND lent_at < '2027-01-01' GROUP BY date(lent_at, 'start of month') ORDER BY date(lent_at, 'start of month')",
    )
  })

  it('takes the date that a verb names', () => {
    expect(readFirst('how many loans were returned yesterday')).toContain(
      "returned_at >= '2026-11-19' AND returned_at < '2026-11-20'",
    )
  })

  it('says which days and which date it took', () => {
    const [first] = read('takings last month', 'postgres')
    expect(first?.assumptions.map(assumptionText)).toEqual([
      '“last month” means Oct 1 to 31, 2026 (when the book left the house, Europe/Berlin time).',
    ])
  })
})

describe('how sure it is', () => {
  it('offers two near-equal readings of a word that two columns share, differing in one decision', () => {
    const [first, second, third] = read('loans by town')
    expect([first?.sql, second?.sql].sort()).toEqual([
      'SELECT delivery_town, COUNT(*) AS number_of_loans\nFROM loans\nGROUP BY delivery_town',
      'SELECT pickup_town, COUNT(*) AS number_of_loans\nFROM loans\nGROUP BY pickup_town',
    ])
    const decided = (reading: typeof first) => reading?.decisions.find(decision => decision.phrase === 'town')
    expect([decided(first)?.choice, decided(second)?.choice].sort()).toEqual([
      'loans.delivery_town',
      'loans.pickup_town',
    ])
    expect(decided(first)?.label).toMatch(/^(pickup|delivery) town of the loan$/)
    const others = first?.decisions.filter(decision => decision.phrase !== 'town')
    expect(others).toEqual(second?.decisions.filter(decision => decision.phrase !== 'town'))
    expect(second?.confidence).toBeGreaterThan((first?.confidence ?? 1) * 0.9)
    expect(third?.confidence).toBeLessThan((first?.confidence ?? 0) * 0.5)
  })

  it('is sure of plain questions and names the words that it could not read', () => {
    expect(read('how many members are there')[0]?.confidence).toBeGreaterThan(0.85)
    const [doubtful] = read('how many members own a telescope')
    expect(doubtful?.unused).toContain('telescope')
    expect(doubtful?.confidence).toBeLessThan(0.6)
  })

  it('gives probabilities that fall from reading to reading', () => {
    const sure = read('names of Irish authors').map(reading => reading.confidence)
    expect(sure.length).toBeGreaterThan(1)
    expect(sure).toEqual([...sure].sort((a, b) => b - a))
    for (const one of sure) expect(one >= 0 && one <= 1).toBe(true)
  })

  it('is held back when a reading leaves out an amount that was asked for', () => {
    const [first] = read('members who spent the most money')
    expect(first?.unused).toEqual(['spent', 'money'])
    expect(first?.confidence).toBeLessThan(0.6)
  })
})

describe('any text', () => {
  it(
    'never throws, and reads the same text the same way',
    () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), sentences), text => {
          expect(read(text)).toEqual(read(text))
        }),
        { numRuns: 60 },
      )
    },
    PROPERTY_TIMEOUT,
  )

  it(
    'is read as SQL that SQLite understands, never the same twice',
    () => {
      const db = emptyLibrary()
      fc.assert(
        fc.property(sentences, text => {
          const readings = read(text)
          for (const { sql } of readings) expect(() => db.prepare(sql)).not.toThrow()
          expect(new Set(readings.map(reading => reading.sql)).size).toBe(readings.length)
        }),
        { numRuns: 80 },
      )
      db.close()
    },
    PROPERTY_TIMEOUT,
  )

  it(
    'is read as SQL that Postgres parses',
    async () => {
      await fc.assert(
        fc.asyncProperty(sentences, async text => {
          for (const { sql } of read(text, 'postgres')) expect((await parse(sql)).stmts).toHaveLength(1)
        }),
        { numRuns: 40 },
      )
    },
    PROPERTY_TIMEOUT,
  )

  it('gives at most as many readings as asked for', () => {
    expect(read('names of Irish authors').length).toBeLessThanOrEqual(10)
  })
})
