import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { makeAnswering } from '../../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { choirSchema } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import { startScriptedAgents } from '../../helpers/scripted-agents/start-scripted-agents.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'

const question = 'Which singers are altos?'
const broken = "SELECT nam FROM singers WHERE voice = 'alto'"
const good = "SELECT name FROM singers WHERE voice = 'alto'"
const refined = { cause: 'A slip.', sql: good, missing: '', assumptions: [] }
const cli = join(import.meta.dirname, '../../../src/cli.ts')

it('a question whose process was killed goes on with its strategy, and asks nothing twice', async () => {
  await using store = await createTestDatabase({ migrated: true })
  const choir = makeSqliteFile(choirSchema)
  const asked = Promise.withResolvers<void>()
  await using model = await startScriptedAgents([
    {
      prompt: 'mac-sql/decompose',
      reply: { steps: [{ question, sql: broken }], sql: broken, missing: '', assumptions: [] },
    },
    { prompt: 'mac-sql/refine', never: true, onAsked: asked.resolve },
    { prompt: 'mac-sql/refine', reply: refined },
  ])
  const folder = dirname(choir.file)
  const settings = join(folder, 'querent.yml')
  const written = {
    timeZone: 'UTC',
    databases: { choir: { path: choir.file } },
    models: { drafter: { model: 'scripted' } },
  }
  // The settings name no strategy: a question keeps the one that it was started with.
  writeFileSync(settings, stringify(written))
  const env = { QUERENT_CONFIG: settings, DATABASE_URL: store.url, OPENAI_BASE_URL: model.baseUrl }
  const args = ['ask', question, '--database', 'choir', '--strategy', 'mac-sql', '--store']
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, QUERENT_HOME: join(folder, 'home'), ...env },
  })
  await asked.promise
  child.kill('SIGKILL')
  await once(child, 'close')

  const config = loadConfig({ env: { ...env, QUERENT_HOME: join(folder, 'home') }, cwd: folder })
  const resources = makeResources(config, { log: silentLog, asOf: '2026-11-20' })
  try {
    const answering = await makeAnswering(resources, { model: null, kept: 'in-store' })
    const { store: own } = await resources.ownStore()
    const { rows } = await withClient(store.url, client => client.query('select id from querent.questions'))
    const id = String(rows[0].id)
    const stored = await own.repositories.questions.find(id)
    const report = await answering.answer(stored!)
    expect(model.problems()).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.trace).toMatchObject({ strategy: 'mac-sql' })
    expect(report.trace?.calls?.map(({ agent }) => agent)).toEqual(['decomposer', 'refiner'])
  } finally {
    await resources.release()
    choir.remove()
  }
})
