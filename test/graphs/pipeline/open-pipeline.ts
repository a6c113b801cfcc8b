import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAnswering } from '../../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import type { Config } from '../../../src/config/config.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { AnswerReport } from '../../../src/domain/answer.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { Question } from '../../../src/domain/question.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { makeServerFolder } from '../../../src/store/embedded/server-folder.ts'

const asOf = '2026-11-20'

/** The app as it is wired for a command, over the sample company, with a model at an address. */
export interface Pipeline extends AsyncDisposable {
  /** Asks along all model paths; `full` is CHASE-SQL's way. Rows of the answer beside the report. */
  ask(
    mode: 'full' | 'adaptive',
    question: string,
    baseUrl: string,
  ): Promise<{ readonly report: AnswerReport; readonly table: ResultTable | null }>
  /** Says messages one after the other in one thread, without drafts of a model; the report on the last one. */
  say(messages: readonly string[], baseUrl: string): Promise<AnswerReport>
  /** Rows of a statement. */
  run(sql: string): Promise<ResultTable>
}

/** Opens it with a server of its own, in a folder that is removed at the end. One draft of each path is made. */
export const openPipeline = async (): Promise<Pipeline> => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-pipeline-'))
  const configFor = (
    mode: 'full' | 'adaptive',
    baseUrl: string,
    models = '{drafter: {model: written-by-hand}}',
  ) => {
    const settings = [
      'timeZone: UTC',
      `models: ${models}`,
      `drafting: {mode: ${mode}, mostDrafts: 3}`,
      // Nobody is asked here: drafts were written to differ, for the judge.
      'answer: {costOfAsking: 1}',
      'budget: {modelCallsPerQuestion: 200, tokensPerQuestion: 1000000}',
    ]
    writeFileSync(join(folder, 'querent.yml'), settings.join('\n'))
    return loadConfig({ env: { OPENAI_BASE_URL: baseUrl }, cwd: folder })
  }
  const resources = makeResources(configFor('full', 'http://127.0.0.1:9/v1'), { log: silentLog, asOf })
  const database = await resources.openDatabase('sample-company', {})
  const answeringWith = (config: Config) =>
    makeAnswering({ ...resources, config }, { model: null, kept: 'in-memory' })
  const makeQuestion = (text: string, follows: string | null): Question => {
    const id = randomUUID()
    return {
      id,
      key: id,
      text,
      database: 'sample-company',
      askedAt: new Date(`${asOf}T12:00:00Z`),
      timeZone: 'UTC',
      askedBy: null,
      ...(follows === null ? {} : { follows }),
    }
  }
  return {
    ask: async (mode, text, baseUrl) => {
      const answering = await answeringWith(configFor(mode, baseUrl))
      const question = makeQuestion(text, null)
      await answering.keepQuestion(question)
      const report = await answering.answer(question)
      const { outcome } = report
      return {
        report,
        table: outcome.status === 'answered' ? await answering.loadResult(outcome.resultId) : null,
      }
    },
    say: async (messages, baseUrl) => {
      const config = configFor(
        'adaptive',
        baseUrl,
        '{drafter: {model: refused}, rewriter: {model: classifier}}',
      )
      const answering = await answeringWith(config)
      let last: AnswerReport | null = null
      for (const text of messages) {
        const question = makeQuestion(text, last?.questionId ?? null)
        await answering.keepQuestion(question)
        last = await answering.answer(question)
      }
      if (last === null) throw new Error('nothing was said')
      return last
    },
    run: async sql => {
      const verdict = database.guard(sql)
      if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
      return database.run(verdict.guarded)
    },
    [Symbol.asyncDispose]: async () => {
      await resources.release()
      const { root } = await makeServerFolder(join(folder, '.querent'))
      rmSync(root, { recursive: true, force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
