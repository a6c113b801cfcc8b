import type { Config } from '../config/config.ts'
import { QuerentError } from '../core/errors.ts'
import type { AskForExamples } from '../core/example-query.ts'
import type { AskForKeywords } from '../core/keyword.ts'
import type { AskForJudgement, AskForSql } from '../core/model.ts'
import type { DescribeTable } from '../llm/describe-table.ts'
import { draftersOf, type ModelTasks, tasksOf, withModel } from '../llm/tasks.ts'

/** A way to ask models, and which model drafts; null where no model is to be called. */
export interface Models {
  readonly askForSql: AskForSql
  readonly askForExamples: AskForExamples
  readonly askForJudgement: AskForJudgement
  readonly askForKeywords: AskForKeywords
  readonly describeTable: DescribeTable
  readonly drafter: string
  /** Models that draft, in turn. At least one. */
  readonly drafters: readonly string[]
}

/**
 * Makes the models. `named` is what `--model` says: `none` for none, a name for that model in every role, null for
 * what the configuration says.
 */
export const makeModels = async (config: Config, named: string | null): Promise<Models | null> => {
  const tasks = tasksFor(config, named)
  if (!tasks) return null
  const { apiKey, baseUrl } = config.openai
  if (!apiKey && !baseUrl) {
    throw new QuerentError(
      'bad-configuration',
      `the model ${tasks.drafter.model} cannot be called: set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint without keys, or use --model none`,
    )
  }
  // The model client is a third of all that is loaded; whoever calls no model does not wait for it.
  const [
    { makeAskModel },
    { makeAskForSql },
    { makeAskForExamples },
    { makeAskForJudgement },
    { makeAskForKeywords },
    { makeDescribeTable },
  ] = await Promise.all([
    import('../llm/ask-model.ts'),
    import('../llm/ask-for-sql.ts'),
    import('../llm/ask-for-examples.ts'),
    import('../llm/ask-for-judgement.ts'),
    import('../llm/ask-for-keywords.ts'),
    import('../llm/describe-table.ts'),
  ])
  const askModel = makeAskModel({
    connection: { apiKey: apiKey?.reveal() ?? null, baseUrl },
    tasks,
    budget: config.budget,
  })
  return {
    askForSql: makeAskForSql(askModel),
    askForExamples: makeAskForExamples(askModel),
    askForJudgement: makeAskForJudgement(askModel),
    askForKeywords: makeAskForKeywords(askModel),
    describeTable: makeDescribeTable(askModel),
    drafter: tasks.drafter.model,
    drafters: draftersOf(tasks),
  }
}

const tasksFor = (config: Config, named: string | null): ModelTasks | null => {
  if (named === 'none') return null
  if (!config.models) return named === null ? null : tasksOf(named)
  const tasks = { ...config.models.roles, drafters: config.models.drafters }
  return named === null ? tasks : withModel(tasks, named)
}
