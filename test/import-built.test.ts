import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isBuildFresh } from '../src/import-built.ts'

let project: string
const builtAt = Date.UTC(2026, 10, 20)

const writeSource = (path: string, changedAt: number): void => {
  writeFileSync(join(project, path), '')
  utimesSync(join(project, path), changedAt / 1000, changedAt / 1000)
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'querent-built-'))
  mkdirSync(join(project, 'dist'))
  writeSource('one.ts', builtAt - 1000)
  writeSource('two.ts', builtAt - 2000)
  writeFileSync(
    join(project, 'dist/build.json'),
    JSON.stringify({ startedAt: builtAt, sources: ['one.ts', 'two.ts'] }),
  )
})

afterEach(() => rmSync(project, { recursive: true }))

it('takes a build whose sources are all older', () => {
  expect(isBuildFresh(project)).toBe(true)
})

it('takes no build from before the last change of a source', () => {
  writeSource('two.ts', builtAt + 1)
  expect(isBuildFresh(project)).toBe(false)
})

it('takes no build of a source that is gone', () => {
  rmSync(join(project, 'one.ts'))
  expect(isBuildFresh(project)).toBe(false)
})

it('takes no build that did not finish', () => {
  rmSync(join(project, 'dist/build.json'))
  expect(isBuildFresh(project)).toBe(false)
})
