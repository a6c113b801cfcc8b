import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { makePoolReplayPath } from '../../../graphs/answer/drafting/pool-replay.ts'
import type { AnswerQuestion, ResumeQuestion } from '../../answering/run-question.ts'
import { makeAnswering } from '../../bootstrap/answering/answering.ts'
import { makeRenderPair } from '../../bootstrap/answering/render-pairs.ts'
import { makeResources } from '../../bootstrap/resources.ts'
import type { AnswerReport, AnswerRunOptions, OnAnswerEvent } from '../../domain/answer.ts'
import { failureText } from '../../domain/answer-wording/unanswered.ts'
import type { DraftPath } from '../../domain/candidate.ts'
import { QuerentError, SqlError } from '../../domain/errors.ts'
import type { Question } from '../../domain/question.ts'
import type { DecidePairWinner } from '../../domain/selection/pairwise.ts'
import type { AskAgent } from '../../domain/strategies/strategy.ts'
import {
  evaluationLimits,
  type OpenForEvaluation,
  type SystemAnswer,
} from '../../evaluation/evaluation-database.ts'
import { makePoolAgents } from '../../evaluation/pool-agents.ts'
import { parsePoolSpec, poolCandidates, readPoolsFile } from '../../evaluation/pools-file.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { selectorWithout } from '../../ranking/selector/shipped-selector.ts'
import { stoppingModelWithout } from '../../ranking/stopping-folds.ts'
import type { CommandContext } from '../command-context.ts'
import { evaluationCopy } from '../copy/evaluation.ts'
import { type StrategyOptions, withStrategy } from '../strategy.ts'
import { evaluationDatabaseReference } from './pool-databases.ts'

/** What is evaluated: the databases, and what stands in for models. */
export interface EvaluatedSystem extends StrategyOptions {
  readonly databases?: string
  readonly model?: string
  /** Told with every question, after what its line says. */
  readonly evidence?: string
  /** Drafts of a file in place of a model's. */
  readonly replay: MakeReplayDrafter | null
  /** Compares the results of replayed drafts; nobody does if left out. */
  readonly judge?: DecidePairWinner
  readonly onEvent?: OnAnswerEvent
}

/** Opens each database with resources of its own, so that closing it releases all of them. */
export const makeOpenForEvaluation =
  (
    { databases, model, evidence = '', replay, judge, onEvent, ...options }: EvaluatedSystem,
    {
      config,
      log,
      terminal,
      now,
      shell,
    }: Pick<CommandContext, 'config' | 'log' | 'now' | 'shell'> & {
      readonly terminal: Pick<CommandContext['terminal'], 'folder'>
    },
  ): OpenForEvaluation =>
  async (dbId, { signal }) => {
    const resources = makeResources(
      { ...withStrategy(config, options), limits: evaluationLimits },
      { log, shell, asOf: dayOf(now, config.timeZone) },
    )
    try {
      const name =
        databases === undefined ? dbId : evaluationDatabaseReference(databases, dbId, terminal.folder)
      const database = await resources.openDatabase(name, { signal })
      const lineIds = new Map<string, string>()
      const answering = await makeAnswering(resources, {
        model: model ?? null,
        kept: 'in-memory',
        // A database that the shipped model was trained on is measured with a model that was not.
        stoppingModel: stoppingModelWithout(dbId),
        selector: selectorWithout(dbId),
        ...(replay ? replay(id => lineIds.get(id)) : {}),
        ...(judge ? { judge } : {}),
      })
      return {
        dialect: database.dialect,
        indexMilliseconds: database.indexMilliseconds,
        renderPair: makeRenderPair(database, {
          seesRows: config.models?.judgeSeesRows ?? true,
          now: () => now,
          timeZone: config.timeZone,
        }),
        close: resources.release,
        execute: async (sql, run) => {
          const verdict = database.guard(sql)
          if (verdict.verdict === 'refuse') throw new SqlError('refused', verdict.reason)
          return database.run(verdict.guarded, run)
        },
        ask: async (line, run) => {
          const options = { ...run, ...(onEvent ? { onEvent } : {}) }
          const asked: string[] = []
          const told = [line.evidence, evidence.trim()].filter(text => text !== '').join('\n')
          const keep = async (text: string): Promise<Question> => {
            const id = randomUUID()
            const follows = asked.at(-1)
            const question = {
              id,
              key: `eval:${id}`,
              text,
              database: name,
              askedAt: now,
              timeZone: config.timeZone,
              askedBy: null,
              ...(follows === undefined ? {} : { follows }),
              ...(told === '' ? {} : { evidence: told }),
            }
            asked.push(id)
            await answering.keepQuestion(question)
            return question
          }
          for (const text of line.after) await answerOrChoose(await keep(text), answering, options)
          const question = await keep(line.question)
          lineIds.set(question.id, line.id)
          const started = performance.now()
          const report = await answering.answer(question, options)
          const milliseconds = performance.now() - started
          for (const id of asked) await answering.forget(id)
          lineIds.delete(question.id)
          return toSystemAnswer(report, milliseconds)
        },
      }
    } catch (error) {
      await resources.release()
      throw error
    }
  }

/** Answers an earlier question of a thread. If it is asked back, the option that counts without a reply is chosen. */
const answerOrChoose = async (
  question: Question,
  { answer, resume }: { readonly answer: AnswerQuestion; readonly resume: ResumeQuestion },
  options: AnswerRunOptions,
): Promise<void> => {
  const { outcome } = await answer(question, options)
  if (outcome.status !== 'needs-clarification') return
  const number = outcome.clarification.defaultOption + 1
  await resume(question.id, { kind: 'option', number }, options)
}

const outcomeNames = {
  answered: 'answered',
  'needs-clarification': 'clarified',
  refused: 'refused',
  failed: 'failed',
} as const

const toSystemAnswer = (report: AnswerReport, milliseconds: number): SystemAnswer => {
  const { outcome, usage } = report
  return {
    outcome: outcomeNames[outcome.status],
    sql: outcome.status === 'answered' ? (outcome.drafted?.sql ?? outcome.sql) : null,
    ...(outcome.status === 'answered' ? { shownSql: outcome.sql } : {}),
    confidence: outcome.status === 'answered' ? outcome.confidence : null,
    candidates: rankCandidates(report),
    usage,
    milliseconds,
    ...(outcome.status === 'failed' ? { error: failureText(outcome.why).reason } : {}),
  }
}

/** The representative of each group of equal results, the best group first; then all other candidates. */
const rankCandidates = ({ candidates, trace }: AnswerReport): readonly string[] => {
  const ranks = new Map(trace?.groups.map(({ representativeId }, rank) => [representativeId, rank]))
  const rankOf = (id: string): number => ranks.get(id) ?? ranks.size
  return candidates.toSorted((a, b) => rankOf(a.id) - rankOf(b.id)).map(({ sql }) => sql)
}

/**
 * The model of `--model pool:FILE#A+B`: its drafts come from a file of candidates, found by the question's id. Our own
 * drafting takes them by a path, agents of a published system in the order in which they write statements.
 */
type MakeReplayDrafter = (lineIdOf: (questionId: string) => string | undefined) => {
  readonly drafter: DraftPath
  readonly askAgent: AskAgent
}

/** Reads the candidates of `--model pool:...`; null for any other model. Throws `bad-arguments`. */
export const readReplayModel = async (
  model: string | undefined,
  folder: string,
): Promise<MakeReplayDrafter | null> => {
  if (!model?.startsWith('pool:')) return null
  const [, file, pool] = /^pool:(.+)#([^#]+)$/.exec(model) ?? []
  if (file === undefined || pool === undefined)
    throw new QuerentError('bad-arguments', evaluationCopy.notAPool(model))
  const spec = parsePoolSpec(pool)
  const pools = await readPoolsFile(resolve(folder, file))
  const candidates = new Map([...pools].map(([id, line]) => [id, poolCandidates(line, spec)]))
  const samples = Math.max(0, ...[...candidates.values()].map(list => list.length))
  return lineIdOf => {
    const draftsOf = (id: string) => candidates.get(lineIdOf(id) ?? '') ?? []
    return { drafter: makePoolReplayPath({ samples, draftsOf }), askAgent: makePoolAgents({ draftsOf }) }
  }
}
