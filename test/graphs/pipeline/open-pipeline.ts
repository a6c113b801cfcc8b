import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAnswering } from '../../../src/bootstrap/answering/answering.ts'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { AnswerReport } from '../../../src/domain/answer.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
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
  /** Rows of a statement. */
  run(sql: string): Promise<ResultTable>
}

/** Opens it with a server of its own, in a folder that is removed at the end. One draft of each path is made. */
export const openPipeline = async (): Promise<Pipeline> => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-pipeline-'))
  const configFor = (mode: 'full' | 'adaptive', baseUrl: string) => {
    const settings = [
      'timeZone: UTC',
      'models: {drafter: {model: written-by-hand}}',
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
  return {
    ask: async (mode, text, baseUrl) => {
      const answering = await makeAnswering(
        { ...resources, config: configFor(mode, baseUrl) },
        { model: null, kept: 'in-memory' },
      )
      const id = randomUUID()
      const question = {
        id,
        key: id,
        text,
        database: 'sample-company',
        askedAt: new Date(`${asOf}T12:00:00Z`),
        timeZone: 'UTC',
        askedBy: null,
      }
      await answering.keepQuestion(question)
      const report = await answering.answer(question)
      const { outcome } = report
      return {
        report,
        table: outcome.status === 'answered' ? await answering.loadResult(outcome.resultId) : null,
      }
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
