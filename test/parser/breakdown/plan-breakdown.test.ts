import { describe, expect, it } from 'vitest'
import { oneLine } from '../../helpers/one-line.ts'
import { follow } from '../follow.ts'

const perMonth = 'How many loans were there by month?'
const byGenre = 'How many books are there by genre?'
const byBranch = 'What is the total fine by branch?'

const planOf = (first: string, said: string) => {
  const reading = follow(first, said)
  return reading.kind === 'breakdown' ? reading.plan : expect.unreachable(reading.kind)
}

const days = (from: string, until: string): string => `lent_at >= '${from}' AND lent_at < '${until}'`

describe('what a number is compared with', () => {
  it.each([
    [perMonth, 'why is October low?', 'period', 'October 2026', 'September 2026'],
    [perMonth, 'why did loans drop in October?', 'period', 'October 2026', 'September 2026'],
    ['How many loans were there in October 2026?', 'why?', 'period', 'October 2026', 'September 2026'],
    [byGenre, 'why is crime high?', 'group', 'crime', 'all'],
    [byBranch, 'why is Old Mill so high?', 'group', 'Old Mill', 'all'],
  ])('%s %s', (first, said, kind, subject, beside) => {
    expect(planOf(first, said).contrast).toEqual({ kind, subject, beside })
  })

  it('puts the counts of two months and their difference side by side', () => {
    const september = `COUNT(CASE WHEN ${days('2026-09-01', '2026-10-01')} THEN 1 END)`
    const october = `COUNT(CASE WHEN ${days('2026-10-01', '2026-11-01')} THEN 1 END)`
    expect(oneLine(planOf(perMonth, 'why is October low?').totals)).toBe(
      `SELECT ${september} AS september_2026, ${october} AS october_2026, ${october} - ${september} AS "change" FROM loans WHERE ${days('2026-09-01', '2026-11-01')}`,
    )
  })

  it('puts the sum of a group beside the sum of all', () => {
    expect(oneLine(planOf(byBranch, 'why is Old Mill so high?').totals)).toBe(
      "SELECT SUM(CASE WHEN branches.name = 'Old Mill' THEN loans.fine_cents ELSE 0 END) AS old_mill, SUM(loans.fine_cents) AS in_all FROM loans JOIN branches ON loans.branch_id = branches.id",
    )
  })
})

describe('what it is split by', () => {
  it('is columns of its own table and of those that its keys lead to, but not what the groups are of', () => {
    const labels = planOf(byGenre, 'why is crime high?').dimensions.map(({ label }) => label)
    expect(labels).toContain('nationality of the author')
    expect(labels).not.toContain('genre of the book')
  })

  it('keeps the rows that a key leads nowhere from', () => {
    const { dimensions } = planOf(byGenre, 'why is crime high?')
    const split = dimensions.find(({ label }) => label === 'nationality of the author')
    expect(split?.sql.rising).toContain('LEFT JOIN authors ON books.author_id = authors.id')
  })
})

describe('what cannot be broken down', () => {
  it.each([
    [
      'What is the average number of pages of books by genre?',
      'why is crime high?',
      { code: 'not-additive' },
    ],
    ['Show all members from Elmford', 'why?', { code: 'no-number' }],
    [perMonth, 'why is that low?', { code: 'number-not-named' }],
    [byBranch, 'why is Atlantis high?', { code: 'unknown-number', words: 'Atlantis' }],
  ])('%s %s', (first, said, problem) => {
    expect(follow(first, said)).toMatchObject({ kind: 'unreadable', problem })
  })

  it('comes with a question that can be', () => {
    expect(follow(perMonth, 'why is that low?')).toMatchObject({
      examples: expect.arrayContaining(['why is October 2026 low?']),
    })
  })
})
