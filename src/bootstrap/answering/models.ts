import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { listSecrets } from '../../config/load-config.ts'
import type { AskForExamples } from '../../domain/candidate.ts'
import type { AskForRewrite } from '../../domain/conversation.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { DescribeTable } from '../../domain/knowledge.ts'
import type { AskForMetricQuery } from '../../domain/metrics/metric-reading.ts'
import type { AskForHeadline, AskForJudgment, AskForSql } from '../../domain/model.ts'
import type { InSpan, Log, Metrics } from '../../domain/operations/telemetry.ts'
import type { ModelUsageLedger } from '../../domain/operations/usage.ts'
import type { AskForKeywords } from '../../domain/question-context.ts'
import type { AskAgent } from '../../domain/strategies/strategy.ts'
import { dayOf } from '../../lib/time-zone.ts'
import type { AskModel } from '../../llm/ask-model.ts'
import type { ModelConnection } from '../../llm/call-model.ts'
import {
  allModels,
  drafterModels,
  type FindEndpoint,
  type ModelEndpoints,
  type ModelTasks,
  makeFindEndpoint,
  makeModelTasks,
  withModel,
} from '../../llm/call-model.ts'
import { makeCapabilities } from '../../llm/capabilities.ts'

/** Functions that ask models, and the models that draft. */
export interface Models {
  readonly askForSql: AskForSql
  readonly askForExamples: AskForExamples
  readonly askForMetricQuery: AskForMetricQuery
  readonly askForJudgement: AskForJudgment
  readonly askForHeadline: AskForHeadline
  readonly askForKeywords: AskForKeywords
  readonly askForRewrite: AskForRewrite
  readonly askAgent: AskAgent
  readonly describeTable: DescribeTable
  readonly drafter: string
  /** Models that draft, in turn. At least one. */
  readonly drafters: readonly string[]
  /** Whether a model thinks before it replies, as far as is known. */
  readonly isReasoning: (model: string) => boolean
}

/** Where model usage is recorded, and who asked a question (null if nobody is known). */
export interface ModelAccounting {
  readonly ledger: ModelUsageLedger
  readonly askedBy: (questionId: string) => Promise<string | null>
  /** The channel it was asked in; null if there is none. */
  readonly askedIn?: (questionId: string) => Promise<string | null>
}

/**
 * Makes the models; null if none is to be called. `named` comes from `--model`: `none`, the name of one model for every
 * role, or null to follow the configuration.
 */
export const makeModels = async (
  config: Config,
  named: string | null,
  {
    accounting,
    log,
    inSpan,
    metrics,
  }: {
    readonly accounting: ModelAccounting
    readonly log: Log
    readonly inSpan?: InSpan
    readonly metrics?: Pick<Metrics, 'modelCall'>
  },
): Promise<Models | null> => {
  const tasks = tasksFor(config, named)
  if (!tasks) return null
  const connections = readModelConnections(config)
  const capabilities = makeCapabilities(connections.findEndpoint, config.models?.capabilities)
  // Loaded here: a command that calls no model does not wait for the model client.
  const requests = await import('../../llm/model-requests.ts')
  const askModels = async () => {
    await checkProviders(tasks, connections)
    const { makeAskModel } = await import('../../llm/ask-model.ts')
    return makeAskModel({
      connection: connections.connection,
      endpoints: connections.endpoints,
      capabilities,
      tasks,
      budget: config.budget,
      prices: config.models?.prices ?? {},
      day: { ...accounting, limits: config.budget, today: () => dayOf(new Date(), config.timeZone) },
      ...(config.models ? { breaker: config.models.breaker } : {}),
      log,
      ...(inSpan ? { inSpan } : {}),
      ...(metrics ? { modelCall: metrics.modelCall } : {}),
    })
  }
  const askModel = await makeAskModelByMode(config, { tasks, log, askModels })
  return {
    askForSql: requests.makeAskForSql(askModel),
    askForExamples: requests.makeAskForExamples(askModel),
    askForMetricQuery: requests.makeAskForMetricQuery(askModel),
    askForJudgement: requests.makeAskForJudgement(askModel),
    askForHeadline: requests.makeAskForHeadline(askModel),
    askForKeywords: requests.makeAskForKeywords(askModel),
    askForRewrite: requests.makeAskForRewrite(askModel),
    askAgent: requests.makeAskAgent(askModel),
    describeTable: requests.makeDescribeTable(askModel),
    drafter: tasks.drafter.model,
    drafters: drafterModels(tasks),
    isReasoning: model => capabilities.of(model).reasoning,
  }
}

const tasksFor = (config: Config, named: string | null): ModelTasks | null => {
  if (named === 'none') return null
  if (!config.models) return named === null ? null : makeModelTasks(named)
  const tasks = { ...config.models.roles, drafters: config.models.drafters }
  return named === null ? tasks : withModel(tasks, named)
}

/**
 * Checks that every model of the tasks can be called. Throws `bad-configuration` if it has no endpoint or the package of
 * its provider is not installed: better now than at the first question.
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

/** Calls models, calls them and records their replies, or replays recorded replies, as the configuration says. */
const makeAskModelByMode = async (
  config: Config,
  { tasks, log, askModels }: { tasks: ModelTasks; log: Log; askModels: () => Promise<AskModel> },
): Promise<AskModel> => {
  const { mode } = config.exchanges
  const folder = config.exchanges.folder ?? join(config.home, 'llm')
  const recording = { folder, tasks, secrets: listSecrets(config) }
  switch (mode) {
    case 'live':
      return askModels()
    case 'record': {
      const { recordReplies } = await import('../../llm/record-replies.ts')
      log.warn({ folder }, 'recording model calls: the recordings contain questions and the data in prompts')
      return recordReplies(await askModels(), recording)
    }
    case 'replay': {
      const { replayReplies } = await import('../../llm/replay-replies.ts')
      log.info({ folder }, 'no model is called: replaying recorded replies')
      return replayReplies({ ...recording, log })
    }
    default: {
      const never: never = mode
      return never
    }
  }
}

/** Where models are, by the environment and querent.yml, with their keys revealed for the client. */
interface ModelConnections {
  readonly connection: ModelConnection
  readonly endpoints: ModelEndpoints
  readonly findEndpoint: FindEndpoint
}

/** Reads the connections from a configuration; calls nothing. */
export const readModelConnections = ({
  openai,
  models,
}: Pick<Config, 'openai' | 'models'>): ModelConnections => {
  const connection = { apiKey: openai.apiKey?.reveal() ?? null, baseUrl: openai.baseUrl }
  const endpoints = Object.fromEntries(
    Object.entries(models?.endpoints ?? {}).map(([name, { apiKey, ...endpoint }]) => [
      name,
      { ...endpoint, apiKey: apiKey?.reveal() ?? null },
    ]),
  )
  return { connection, endpoints, findEndpoint: makeFindEndpoint(connection, endpoints) }
}
