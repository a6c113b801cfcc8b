import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
import { addDatabase, setVariables } from '../../../src/config/edit-files.ts'

const boats = { name: 'boats', place: { path: 'boats.sqlite' }, description: null } as const

it.each([null, '', '# only words\n'])('creates settings if there are none: %j', text => {
  const made = addDatabase(text, boats)
  expect(made).toContain('defaultDatabase: boats\ndatabases:\n  boats:\n    path: boats.sqlite\n')
  expect(addDatabase(made, boats)).toBe(made)
})

it('changes only the address of a database with the same name', () => {
  const before =
    'databases:\n  boats:\n    url: sqlite:old # here\n    tables:\n      exclude:\n        - crew\n'
  expect(addDatabase(before, boats)).toBe(
    'databases:\n  boats:\n    tables:\n      exclude:\n        - crew\n    path: boats.sqlite\ndefaultDatabase: boats\n',
  )
  expect(addDatabase(before, { ...boats, place: null })).toBe(`${before}defaultDatabase: boats\n`)
})

it('refuses a file that is not YAML, or has no settings', () => {
  for (const text of ['a: [', '- 1\n', 'word'])
    expect(() => addDatabase(text, boats)).toThrow('not valid YAML')
})

it.each([
  'plain',
  'postgres://ada:p%40ss@host:5432/db?sslmode=require&x=1',
  'with space and # and = in it',
  "with 'single' quotes",
  'with "double" and \\n',
  '$HOME',
])('writes %j so that it is read back as it was', value => {
  const before = '# mine\nA=1\nSECRET=old\nexport SECRET=older\nB="two words"\n'
  const after = setVariables(before, { SECRET: value, C: value })
  expect(parseEnv(after)).toEqual({ A: '1', B: 'two words', SECRET: value, C: value })
  expect(after.startsWith('# mine\nA=1\nSECRET=')).toBe(true)
  expect(setVariables(after, { SECRET: null, C: null })).toBe('# mine\nA=1\nB="two words"\n')
})

it('refuses a value that it could not read back, and says to add it by hand', () => {
  expect(() => setVariables(null, { SECRET: 'two\nlines' })).toThrow('by hand')
  expect(() => setVariables(null, { SECRET: `' " \`` })).toThrow('by hand')
  expect(() => setVariables('KEY="first\nA=2\nlast"\n', { A: '3' })).toThrow('by hand')
})
