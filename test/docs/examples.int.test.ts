import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts'
import { makeServerFolder } from '../../src/store/embedded/server-folder.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { withClient } from '../helpers/with-client.ts'
import { querentCommands, readExamples } from './read-examples.ts'

/** What the pages tell a reader to type is typed, in an empty folder, and what they show is what comes. */

const examples = readExamples()

describe('on the sample company', { timeout: 240_000 }, () => {
  let folder: string
  let server: EmbeddedServer

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'querent-docs-'))
    server = await startEmbeddedServer({ home: join(folder, '.querent') })
  })

  afterAll(async () => {
    await server?.stop()
    const { root } = await makeServerFolder(join(folder, '.querent'))
    rmSync(root, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  })

  const type = async (command: readonly string[]): Promise<string> => {
    const { status, out, err } = await runCli(command, { folder, home: join(folder, '.querent') })
    expect(status, `${command.join(' ')}\n${out}${err}`).toBe(0)
    return out
  }

  // Those as of another day come last, so that the company is written only once more.
  const marked = examples
    .flatMap((example, at) => {
      const next = examples[at + 1]
      return example.runs ? [{ ...example, answer: next?.title === 'Answer' ? next.text : '' }] : []
    })
    .toSorted((a, b) => Number(a.text.includes('--as-of')) - Number(b.text.includes('--as-of')))

  it.each(marked)('$where', async ({ text, answer }) => {
    const commands = querentCommands(text)
    expect(commands.length, 'every line is a command of Querent').toBe(
      text.match(/^npm run -s querent -- /gm)?.length,
    )
    let written = ''
    for (const command of commands) written += await type(command)
    expect(written).toContain(answer.trimEnd())
  })

  const questions = examples
    .filter(({ title }) => title === 'Questions')
    .flatMap(({ text }) => text.trim().split('\n'))

  it.each(questions)('answers: %s', async question => {
    const report = JSON.parse(await type(['ask', question, '--as-of', '2026-11-20', '--json']))
    expect(report.status, JSON.stringify(report)).toBe('answered')
    expect(report.rows.length).toBeGreaterThan(0)
  })

  it('has something to do', () => {
    expect(marked.length).toBeGreaterThan(5)
    expect(questions.length).toBeGreaterThan(5)
  })
})

it.each(examples.filter(({ title }) => title === "Querent's own database"))(
  'a statement runs in an empty store: $where',
  async ({ text }) => {
    await using store = await createTestDatabase({ migrated: true })
    const statement = text.replace("'...'", "'00000000-0000-0000-0000-000000000000'")
    await withClient(store.url, client => client.query(statement))
  },
)
