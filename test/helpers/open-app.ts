import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { makeAnswering } from '../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../src/bootstrap/resources.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { AnswerReport } from '../../src/domain/answer.ts'
import { type Log, silentLog } from '../../src/domain/operations/telemetry.ts'
import type { Question } from '../../src/domain/question.ts'

/**
 * A whole app over one SQLite file, as its configuration wires it, with models at `baseUrl`. Runs are kept in memory,
 * or in the store at `storeUrl`. What else is given are settings of querent.yml.
 */
export const openApp = async (
  databaseFile: string,
  given: { readonly baseUrl: string; readonly storeUrl?: string } & Readonly<Record<string, unknown>>,
) => {
  const { baseUrl, storeUrl, ...settings } = given
  const folder = dirname(databaseFile)
  const file = join(folder, `${randomUUID()}.yml`)
  writeFileSync(file, stringify({ databases: { asked: { path: databaseFile } }, ...settings }))
  const config = loadConfig({
    cwd: folder,
    env: {
      ...{ QUERENT_CONFIG: file, QUERENT_HOME: join(folder, 'home'), OPENAI_BASE_URL: baseUrl },
      ...(storeUrl === undefined ? {} : { DATABASE_URL: storeUrl }),
    },
  })
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }
  const resources = makeResources(config, { log, asOf: '2026-03-02' })
  const kept = storeUrl === undefined ? 'in-memory' : 'in-store'
  const answering = await makeAnswering(resources, { model: null, kept })
  const ask = async (
    text: string,
    askedBy: string | null = null,
    also: Pick<Question, 'runBy'> = {},
  ): Promise<AnswerReport> => {
    const id = randomUUID()
    const asked = { askedAt: new Date('2026-03-02T10:00:00Z'), timeZone: 'UTC', askedBy }
    const question = { id, key: id, text, database: 'asked', ...asked, ...also }
    await answering.keepQuestion(question)
    return answering.answer(question)
  }
  const { resume } = answering
  return { ask, resume, resources, warnings, [Symbol.asyncDispose]: () => resources.release() }
}
