import type { Config } from '../../config/config.ts'
import { QuerentError } from '../../core/errors.ts'
import type { AskForExamples } from '../../core/example-query.ts'
import type { AskForRewrite } from '../../core/follow-up.ts'
import type { AskForKeywords } from '../../core/keyword.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { AskForJudgment, AskForSql } from '../../core/model.ts'
import type { ModelUsageLedger } from '../../core/model-ledger.ts'
import type { InSpan } from '../../core/span.ts'
import { dayOf } from '../../lib/day-of.ts'
import type { DescribeTable } from '../../llm/describe-table.ts'
import { allModels, drafterModels, type ModelTasks, makeModelTasks, withModel } from '../../llm/tasks.ts'
import { makeAskModelByMode } from './keep-exchanges.ts'
import { type ModelConnections, readModelConnections } from './places-of-models.ts'

/** A way to ask models, and which model drafts; null where no model is to be called. */
export interface Models {
  readonly askForSql: AskForSql
  readonly askForExamples: AskForExamples
  readonly askForJudgement: AskForJudgment
  readonly askForKeywords: AskForKeywords
  readonly askForRewrite: AskForRewrite
  readonly describeTable: DescribeTable
  readonly drafter: string
  /** Models that draft, in turn. At least one. */
  readonly drafters: readonly string[]
}

/** Where it is written down what models cost, and who asked a question (null for nobody). */
export interface ModelAccounting {
  readonly ledger: ModelUsageLedger
  readonly askedBy: (questionId: string) => Promise<string | null>
  /** In which channel it was asked; null for none. */
  readonly askedIn?: (questionId: string) => Promise<string | null>
}

/**
 * Makes the models. `named` is what `--model` says: `none` for none, a name for that model in every role, null for
 * what the configuration says.
 */
export const makeModels = async (
  config: Config,
  named: string | null,
  {
    books,
    log,
    inSpan,
    metrics,
  }: {
    readonly books: ModelAccounting
    readonly log: Log
    readonly inSpan?: InSpan
    readonly metrics?: Pick<Metrics, 'modelCall'>
  },
): Promise<Models | null> => {
  const tasks = tasksFor(config, named)
  if (!tasks) return null
  // The model client is a third of all that is loaded; whoever calls no model does not wait for it.
  const [
    { makeAskForSql },
    { makeAskForExamples },
    { makeAskForJudgement },
    { makeAskForKeywords },
    { makeAskForRewrite },
    { makeDescribeTable },
  ] = await Promise.all([
    import('../../llm/ask-for-sql.ts'),
    import('../../llm/ask-for-examples.ts'),
    import('../../llm/ask-for-judgement.ts'),
    import('../../llm/ask-for-keywords.ts'),
    import('../../llm/ask-for-rewrite.ts'),
    import('../../llm/describe-table.ts'),
  ])
  const askModels = async () => {
    const places = readModelConnections(config)
    await checkProviders(tasks, places)
    const { makeAskModel } = await import('../../llm/ask-model.ts')
    return makeAskModel({
      connection: places.connection,
      endpoints: places.endpoints,
      tasks,
      budget: config.budget,
      prices: config.models?.prices ?? {},
      day: { ...books, limits: config.budget, today: () => dayOf(new Date(), config.timeZone) },
      ...(config.models ? { breaker: config.models.breaker } : {}),
      log,
      ...(inSpan ? { inSpan } : {}),
      ...(metrics ? { modelCall: metrics.modelCall } : {}),
    })
  }
  const askModel = await makeAskModelByMode(config, { tasks, log, askModels })
  return {
    askForSql: makeAskForSql(askModel),
    askForExamples: makeAskForExamples(askModel),
    askForJudgement: makeAskForJudgement(askModel),
    askForKeywords: makeAskForKeywords(askModel),
    askForRewrite: makeAskForRewrite(askModel),
    describeTable: makeDescribeTable(askModel),
    drafter: tasks.drafter.model,
    drafters: drafterModels(tasks),
  }
}

const tasksFor = (config: Config, named: string | null): ModelTasks | null => {
  if (named === 'none') return null
  if (!config.models) return named === null ? null : makeModelTasks(named)
  const tasks = { ...config.models.roles, drafters: config.models.drafters }
  return named === null ? tasks : withModel(tasks, named)
}

/**
 * Checks that the models that the tasks name are somewhere. Throws `bad-configuration` where one is not, or where the
 * package of its provider is not installed: better now than at the first question.
 */
const checkProviders = async (tasks: ModelTasks, { findEndpoint }: ModelConnections): Promise<void> => {
  for (const model of allModels(tasks)) {
    const endpoint = findEndpoint(model)
    if (endpoint.provider !== 'openai') {
      const { checkProvider } = await import('../../llm/provider-model.ts')
      await checkProvider(endpoint)
    } else if (endpoint.apiKey === null && endpoint.baseUrl === null) {
      throw new QuerentError(
        'bad-configuration',
        `the model ${model} cannot be called: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint without keys, or use --model none`,
      )
    }
  }
}
