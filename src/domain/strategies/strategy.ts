import { z } from 'zod'
import type { ModelReply, ModelRequest } from '../model.ts'
import { agentNlqReplies, agentNlqSettings } from './agent-nlq.ts'
import { bappaReplies, coderAggregatorSettings, discussionSettings, plannerCoderSettings } from './bappa.ts'
import { chaseSettings } from './chase.ts'
import { macSqlReplies, macSqlSettings } from './mac-sql.ts'
import { recapReplies, recapSettings } from './recap.ts'
import { ssevReplies, ssevSettings } from './ssev.ts'

/**
 * Published systems that answer in place of Querent's own drafting, each with its agents and the settings that its paper
 * names. `docs/strategies.md` says what each is and costs.
 */
export const agentStrategies = {
  'mac-sql': macSqlSettings,
  'agent-nlq': agentNlqSettings,
  ssev: ssevSettings,
  recap: recapSettings,
  discussion: discussionSettings,
  'planner-coder': plannerCoderSettings,
  'coder-aggregator': coderAggregatorSettings,
} as const

export type AgentStrategyName = keyof typeof agentStrategies

/** Settings of one published system. */
export type AgentStrategySettings<Name extends AgentStrategyName = AgentStrategyName> = z.output<
  (typeof agentStrategies)[Name]
>

/** How a question may be answered: Querent's own drafting in rounds, the same as CHASE-SQL, and published systems. */
export const strategyNames = [
  'adaptive',
  'chase',
  ...(Object.keys(agentStrategies) as AgentStrategyName[]),
] as const

export type StrategyName = 'adaptive' | 'chase' | AgentStrategyName

export const isStrategyName = (name: string): name is StrategyName =>
  (strategyNames as readonly string[]).includes(name)

export const isAgentStrategy = (name: string): name is AgentStrategyName =>
  Object.hasOwn(agentStrategies, name)

/** The settings of each strategy that has any. */
const strategySettings = { chase: chaseSettings, ...agentStrategies } as const

type StrategyWithSettings = keyof typeof strategySettings

const settingsText = (name: string): string => `Settings of the strategy ${name}.`

/** Settings of all strategies by name; what is left out has its default. */
export const strategiesSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(strategySettings).map(([name, settings]) => [
      name,
      (settings as z.ZodObject).prefault({}).meta({ description: settingsText(name) }),
    ]),
  ) as { readonly [Name in StrategyWithSettings]: z.ZodPrefault<(typeof strategySettings)[Name]> },
)

export type StrategiesSettings = z.output<typeof strategiesSchema>

/** The schema of a strategy's settings; null if it has none. */
export const settingsOfStrategy = (name: StrategyName): z.ZodObject | null =>
  name === 'adaptive' ? null : strategySettings[name]

/** What agents reply, by the name in the front matter of their prompt. */
export const agentReplies = {
  ...macSqlReplies,
  ...agentNlqReplies,
  ...ssevReplies,
  ...recapReplies,
  ...bappaReplies,
} as const

export type AgentReplyName = keyof typeof agentReplies

/** The checked reply of an agent. */
export type AgentReplyOf<Name extends AgentReplyName> = z.output<(typeof agentReplies)[Name]>

/** Asks an agent of a published system. Throws `ModelError` as `AskForSql` does. */
export type AskAgent = <Name extends AgentReplyName>(
  request: ModelRequest & { readonly reply: Name },
) => Promise<ModelReply<AgentReplyOf<Name>>>

/** One call of an agent, for the trace. `agent` is its name in the paper. */
export interface AgentCall {
  readonly agent: string
  readonly prompt: string
  /** The model that answered; null if none did. */
  readonly model: string | null
  readonly promptTokens: number
  readonly completionTokens: number
  /** Why it has no reply; left out if it has one. */
  readonly failure?: string
}
