import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { toQuestionLines } from '../../../bench/scoreboard/business-questions.ts'

describe('business questions', () => {
  it('take an amount in euros and in cents', () => {
    const [line] = toQuestionLines('finance', [
      { id: 'revenue', question: 'Revenue?', gold: 'SELECT sum(c){/100} FROM o', alternatives: ['SELECT 1'] },
    ])
    expect(line).toEqual({
      id: 'finance/revenue',
      db_id: 'sample-company',
      question: 'Revenue?',
      gold: 'SELECT sum(c) / 100.0 FROM o',
      alternatives: ['SELECT sum(c) FROM o', 'SELECT 1'],
      unread: false,
    })
  })

  it('are about sixty, each asked once, and a third of them stay unread', () => {
    const folder = new URL('../../../fixtures/business/', import.meta.url)
    const lines = readdirSync(folder)
      .filter(name => name.endsWith('.yml'))
      .flatMap(name => toQuestionLines(name, parse(readFileSync(new URL(name, folder), 'utf8'))))
    expect(lines.length).toBeGreaterThanOrEqual(60)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
    expect(new Set(lines.map(({ question }) => question)).size).toBe(lines.length)
    const unread = lines.filter(line => line.unread).length
    expect(unread / lines.length).toBeCloseTo(1 / 3, 1)
  })
})
