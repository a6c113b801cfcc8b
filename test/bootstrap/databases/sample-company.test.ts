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

it('is the same for all who start at once, and for whoever comes later', async () => {
  const place = folder()
  const passwords = await Promise.all(Array.from({ length: 20 }, () => loadReaderPassword(place)))
  expect(new Set(passwords).size).toBe(1)
  expect(passwords[0]).toMatch(/^[\w-]{32}$/)
  expect(await loadReaderPassword(place)).toBe(passwords[0])
})

it('is for its owner alone, and leaves nothing else behind', async () => {
  const place = folder()
  await loadReaderPassword(place)
  expect(readdirSync(place)).toEqual(['reader-password'])
  expect(statSync(join(place, 'reader-password')).mode & 0o777).toBe(0o600)
})
