import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { databaseNames } from '../../../training/business/build-databases.ts'
import { databaseQuestions, toQuestionLines } from '../../../training/business/questions.ts'

const fixtures = fileURLToPath(new URL('../../../fixtures/business/', import.meta.url))

describe('business questions', () => {
  it('take an amount in euros and in cents, and a share as a fraction and in percent', () => {
    const [line] = toQuestionLines('finance', 'shop', [
      {
        id: 'revenue',
        question: 'Revenue?',
        gold: 'SELECT sum(c){/100} FROM o',
        alternatives: ['SELECT s{*100}'],
      },
    ])
    expect(line).toMatchObject({
      id: 'finance/revenue',
      db_id: 'shop',
      gold: 'SELECT sum(c) / 100.0 FROM o',
      alternatives: ['SELECT sum(c) FROM o', 'SELECT s * 100.0', 'SELECT s'],
      match: 'contains',
      part: 'read',
    })
  })

  it('need a gold, unless nothing can answer them', () => {
    expect(() => toQuestionLines('a', 'b', [{ id: 'x', question: 'Why?' }])).toThrow(/gold/)
    expect(toQuestionLines('a', 'b', [{ id: 'x', question: 'Why?', answerable: false }])).toHaveLength(1)
  })

  it('about the sample company are each asked once, and a third of them stay unread', () => {
    const lines = readdirSync(fixtures)
      .filter(name => name.endsWith('.yml'))
      .flatMap(name =>
        toQuestionLines(name, 'sample-company', parse(readFileSync(`${fixtures}/${name}`, 'utf8'))),
      )
    expect(lines.length).toBeGreaterThanOrEqual(60)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
    expect(lines.filter(({ part }) => part === 'unread').length / lines.length).toBeCloseTo(1 / 3, 1)
  })

  it('about eight other databases are each asked once; of six of them two in five stay unread', () => {
    const names = databaseNames(fixtures)
    const lines = names.map(name => databaseQuestions(fixtures, name))
    expect(names).toHaveLength(8)
    expect(lines.flat().length).toBeGreaterThan(600)
    expect(new Set(lines.flat().map(({ id }) => id)).size).toBe(lines.flat().length)
    const halved = lines.filter(own => own.some(({ part }) => part === 'unread'))
    expect(halved).toHaveLength(6)
    const kept = halved.flat().filter(({ part }) => part !== 'read')
    expect(kept.length / halved.flat().length).toBeGreaterThan(2 / 5)
  })
})
