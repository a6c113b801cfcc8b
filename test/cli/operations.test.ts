import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { renderChecks } from '../../src/cli/operations.ts'

const lines = (...checks: Parameters<typeof renderChecks>[0]): string[] =>
  stripVTControlCharacters(renderChecks(checks)).trimEnd().split('\n')

it('lists broken and weak parts again below the table', () => {
  const found = lines(
    { part: 'store', status: 'broken', finding: 'no answer', todo: 'Start it.' },
    { part: 'node', status: 'ok', finding: 'Node 24' },
    {
      part: 'database shop',
      status: 'weak',
      finding: '3 tables; the database user may write',
      todo: 'Make another.',
    },
  )
  expect(found.slice(-2)).toEqual(['broken: store', 'weak: database shop'])
  expect(found.join('\n')).toMatch(/database shop +│ weak +│ 3 tables/)
  expect(found.join('\n')).toContain('To do: Make another.')
})

it('is no wider than the terminal, however long a finding is', () => {
  const finding = `${'there is much to say of it '.repeat(9)}; and more`
  const checks = [
    { part: 'database sample-company', status: 'weak', finding, todo: 'Do what has to be done. '.repeat(9) },
  ] as const
  const plain = stripVTControlCharacters(renderChecks(checks, 90)).split('\n')
  expect(Math.max(...plain.map(line => line.length))).toBeLessThanOrEqual(90)
  expect(plain.length).toBeGreaterThan(8)
  expect(plain.join('\n')).toMatch(/│ To do: Do what/)
  expect(stripVTControlCharacters(renderChecks(checks)).split('\n').length).toBeLessThan(plain.length)
})

it('ends with the table if every part is ok', () => {
  expect(lines({ part: 'node', status: 'ok', finding: 'Node 24' }).at(-1)).toContain('┘')
})
