import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import { makeAnswering } from '../../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { AnswerReport, AnswerRunOptions } from '../../../src/domain/answer.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { StrategyName } from '../../../src/domain/strategies/strategy.ts'
import { acceptedQuery } from '../../graphs/answer/verified/verified-queries.ts'
import { type ScriptedExchange, type SeenAgentRequest, startScriptedAgents } from './start-scripted-agents.ts'

/** How a question went under a strategy: the report, the rows of its answer, and what the endpoint saw. */
export interface StrategyRun {
  readonly report: AnswerReport
  readonly table: ResultTable | null
  readonly seen: readonly SeenAgentRequest[]
  /** What the script and the requests do not share; empty if they are the same. */
  readonly problems: readonly string[]
  /** The agents in the order of their calls, as the trace has them. */
  readonly agents: readonly string[]
}

/** What is asked, of which database, and how. */
interface StrategyQuestion {
  readonly strategy: StrategyName
  readonly question: string
  readonly script: readonly ScriptedExchange[]
  /** Statements that make the SQLite database; a choir with singers and concerts if left out. */
  readonly schema?: string
  /** Verified questions with their statements. */
  readonly verified?: readonly (readonly [question: string, sql: string])[]
  /** Settings of the strategy. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Further settings of querent.yml. */
  readonly config?: Readonly<Record<string, unknown>>
}

/** A small database with a key and two tables. */
export const choirSchema = `
  CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, voice TEXT NOT NULL, city TEXT);
  CREATE TABLE concerts (concert_id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singers, held_on TEXT, visitors INTEGER);
  INSERT INTO singers VALUES (1, 'Ada', 'alto', 'Turku'), (2, 'Bo', 'bass', 'Vaasa'), (3, 'Cleo', 'alto', 'Vaasa');
  INSERT INTO concerts VALUES (1, 1, '2026-05-01', 120), (2, 2, '2026-05-02', 80), (3, 1, '2026-06-03', 200);
`

/** Asks one question through the whole app, wired as for a command, with a scripted model. */
export const askWithStrategy = async (asked: StrategyQuestion): Promise<StrategyRun> => {
  await using open = await openStrategy(asked)
  return await open.ask()
}

/** The app of one question, which can be asked again after it was stopped. */
export const openStrategy = async ({
  strategy,
  question: text,
  script,
  schema = choirSchema,
  verified = [],
  settings = {},
  config: more = {},
}: StrategyQuestion) => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-strategy-'))
  const file = join(folder, 'data.sqlite')
  const data = new DatabaseSync(file)
  data.exec(schema)
  data.close()
  const model = await startScriptedAgents(script)
  const written = {
    timeZone: 'UTC',
    models: { drafter: { model: 'scripted' } },
    strategy,
    strategies: { [strategy]: settings },
    budget: { modelCallsPerQuestion: 300, tokensPerQuestion: 5_000_000 },
    ...more,
  }
  writeFileSync(join(folder, 'querent.yml'), stringify(written))
  const config = loadConfig({ env: { OPENAI_BASE_URL: model.baseUrl }, cwd: folder })
  const resources = makeResources(config, { log: silentLog, asOf: '2026-11-20' })
  const opened = verified.length === 0 ? null : await resources.openDatabase(`sqlite:${file}`)
  const queries =
    opened && (await Promise.all(verified.map(([question, sql]) => acceptedQuery(question, sql, opened))))
  const answering = await makeAnswering(resources, {
    ...{ model: null, kept: 'in-memory' },
    ...(queries && { listVerified: async () => queries }),
  })
  const id = randomUUID()
  const question = {
    ...{ id, key: id, text, database: `sqlite:${file}`, timeZone: 'UTC', askedBy: null },
    askedAt: new Date('2026-11-20T12:00:00Z'),
  }
  await answering.keepQuestion(question)
  return {
    model,
    ask: async (options: AnswerRunOptions = {}): Promise<StrategyRun> => {
      const report = await answering.answer(question, options)
      const { outcome } = report
      return {
        report,
        table: outcome.status === 'answered' ? await answering.loadResult(outcome.resultId) : null,
        seen: model.seen,
        problems: model.problems(),
        agents: (report.trace?.calls ?? []).map(({ agent }) => agent),
      }
    },
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]()
      await resources.release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
