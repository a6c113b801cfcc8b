import { describe, expect, it } from 'vitest'
import { describeDialectTopics } from '../../../../graphs/strategies/recap/dialect-facts.ts'
import { dialectTopics } from '../../../../src/domain/strategies/recap.ts'
import { databaseDialects } from '../../../../src/sql/dialects.ts'

describe('what the dialect retriever finds', () => {
  it('is nothing for no topics', () => {
    expect(describeDialectTopics('sqlite', [])).toBe('')
  })

  it.each(databaseDialects.map(({ name }) => name))('has facts of every topic for %s', name => {
    for (const topic of dialectTopics) expect(describeDialectTopics(name, [topic])).toMatch(/^- \S/)
    // As much as a page: it stands in every prompt of the question.
    expect(describeDialectTopics(name, dialectTopics).length).toBeLessThan(9_000)
  })

  it('is written as the database writes it', () => {
    expect(describeDialectTopics('postgres', ['dates'])).toContain("date_trunc('month', t)")
    expect(describeDialectTopics('sqlite', ['dates'])).toContain("date(t, 'start of month')")
    expect(describeDialectTopics('mysql', ['nulls'])).toContain('a <=> b')
  })

  it('says a topic once', () => {
    expect(describeDialectTopics('duckdb', ['nulls', 'nulls'])).toBe(
      describeDialectTopics('duckdb', ['nulls']),
    )
  })
})
