import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadReaderPassword } from '../../../src/bootstrap/databases/sample-company.ts'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'querent-test-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

it('is the same for everyone who starts at the same time or later', async () => {
  const location = folder()
  const passwords = await Promise.all(Array.from({ length: 20 }, () => loadReaderPassword(location)))
  expect(new Set(passwords).size).toBe(1)
  expect(passwords[0]).toMatch(/^[\w-]{32}$/)
  expect(await loadReaderPassword(location)).toBe(passwords[0])
})

it('is for its owner alone, and leaves nothing else behind', async () => {
  const location = folder()
  await loadReaderPassword(location)
  expect(readdirSync(location)).toEqual(['reader-password'])
  expect(statSync(join(location, 'reader-password')).mode & 0o777).toBe(0o600)
})
