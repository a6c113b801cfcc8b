import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawnCli } from '../helpers/cli/spawn-cli.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

/** What only a process shows: its streams, its exit status, its signals. Everything else runs in the test's own. */
describe('the command line as a process', { timeout: 120_000 }, () => {
  let folder: string
  const place = () => ({ folder, home: join(folder, 'home') })

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('shows help on standard output', async () => {
    const { status, out, err } = await spawnCli(['--help'], place())
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^Usage: querent <command> \[options\]/)
    for (const command of ['ask', 'eval', 'verified', 'doctor']) expect(out).toContain(`\n  ${command} `)
  })

  it('exits with 2 for a command that there is not', async () => {
    const { status, out, err } = await spawnCli(['bogus'], place())
    expect([status, out]).toEqual([2, ''])
    expect(err).toContain("unknown command 'bogus'")
    expect(err).toContain('querent --help lists the commands')
  })

  it('answers, with nothing but the answer on standard output, and ends by itself', async () => {
    const made = makeSqliteFile(
      "create table boats (name text); insert into boats values ('Alba'), ('Brisa')",
    )
    try {
      const asked = ['ask', 'How many boats are there?', '--database', `sqlite:${made.file}`, '--json']
      const { status, out, err } = await spawnCli(asked, place())
      expect([status, err]).toEqual([0, ''])
      expect(JSON.parse(out)).toMatchObject({ status: 'answered', rows: [[2]] })
    } finally {
      made.remove()
    }
  })

  it('reads standard input', async () => {
    const { status, out } = await spawnCli(['guard'], { ...place(), input: '{"id": 1, "sql": "select 1"}\n' })
    expect(status).toBe(0)
    expect(JSON.parse(out)).toEqual({ id: 1, verdict: 'allow', reason: null })
  })

  it('stops at Ctrl-C, and says so', async () => {
    const interrupt = new AbortController()
    // A model that never answers: the first call tells that the work is on its way.
    const mute = createServer(() => interrupt.abort()).listen(0, '127.0.0.1')
    const made = makeSqliteFile('create table boats (name text, crew integer)')
    try {
      await once(mute, 'listening')
      const { port } = mute.address() as AddressInfo
      const asked = ['ask', 'Which crews are odd?', '--database', `sqlite:${made.file}`, '--model', 'mute']
      const { status, out } = await spawnCli([...asked, '--json'], {
        ...place(),
        env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'k' },
        signal: interrupt.signal,
      })
      expect(status).toBe(1)
      expect(JSON.parse(out)).toMatchObject({ status: 'failed', reason: 'Stopped by Ctrl-C.' })
    } finally {
      mute.closeAllConnections()
      mute.close()
      made.remove()
    }
  })
})
