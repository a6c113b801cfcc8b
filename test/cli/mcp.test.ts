import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  writeFileSync(join(folder, 'open.yml'), 'mcp: {host: 0.0.0.0}\n')
})

afterAll(() => rmSync(folder, { recursive: true }))

const run = (args: readonly string[], config?: string) =>
  runCli(['mcp', ...args], {
    ...{ folder, home: join(folder, 'home') },
    env: config === undefined ? {} : { QUERENT_CONFIG: join(folder, config) },
  })

it.each([
  [['--port', '1'], '--port needs --http.'],
  [['--http', '--port', '70000'], '“70000” is not a port'],
  [['--http', '--port', 'x'], '“x” is not a port'],
  [['--database', 'nowhere'], 'nowhere'],
])('mcp %j is a wrong argument', async (args, message) => {
  expect(await run(args)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(message) })
})

it('mcp --http does not listen beyond this machine without tokens, and says what to do', async () => {
  expect(await run(['--http', '--port', '0'], 'open.yml')).toMatchObject({
    status: 2,
    err: expect.stringContaining('Add mcp.tokens to querent.yml, or use 127.0.0.1'),
  })
})
