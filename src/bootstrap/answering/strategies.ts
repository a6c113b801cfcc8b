import type { DraftingMode } from '../../../graphs/answer/rounds/plan-round.ts'
import { makeAgentNlq } from '../../../graphs/strategies/agent-nlq/agent-nlq.ts'
import { makeCoderAggregator } from '../../../graphs/strategies/bappa/coder-aggregator.ts'
import { makeDiscussion } from '../../../graphs/strategies/bappa/discussion.ts'
import { makePlannerCoder } from '../../../graphs/strategies/bappa/planner-coder.ts'
import { makeMacSql } from '../../../graphs/strategies/mac-sql/mac-sql.ts'
import { makeRecap } from '../../../graphs/strategies/recap/recap.ts'
import type { AgentStrategy } from '../../../graphs/strategies/shared/agent-strategy.ts'
import type { AgentDeps } from '../../../graphs/strategies/shared/agent-tools.ts'
import { makeSsev } from '../../../graphs/strategies/ssev/ssev.ts'
import type { Config } from '../../config/config.ts'
import { renderDdl, renderMarkdown, renderMSchema } from '../../databases/catalog/render-schema.ts'
import type { ChaseSettings } from '../../domain/strategies/chase.ts'
import type { AgentStrategyName, StrategiesSettings, StrategyName } from '../../domain/strategies/strategy.ts'

/** Makes a published system of what it needs and its settings. */
type MakeAgentStrategy<Name extends AgentStrategyName> = (
  deps: AgentDeps,
  settings: StrategiesSettings[Name],
) => AgentStrategy

const makers: { readonly [Name in AgentStrategyName]: MakeAgentStrategy<Name> } = {
  'mac-sql': makeMacSql,
  'agent-nlq': makeAgentNlq,
  ssev: makeSsev,
  recap: makeRecap,
  discussion: makeDiscussion,
  'planner-coder': makePlannerCoder,
  'coder-aggregator': makeCoderAggregator,
}

/** Makes the published system of a name with its settings. */
export const makeAgentStrategyNamed = <Name extends AgentStrategyName>(
  name: Name,
  settings: StrategiesSettings,
  deps: Omit<AgentDeps, 'renderings'>,
): AgentStrategy =>
  makers[name](
    { ...deps, renderings: { ddl: renderDdl, mSchema: renderMSchema, markdown: renderMarkdown } },
    settings[name],
  )

/** How Querent's own graph drafts and chooses by a strategy. */
export interface OwnDrafting {
  readonly mode: DraftingMode
  readonly mostDrafts: number
  /** Model paths by name that are left out. */
  readonly leftOut: ReadonlySet<string>
  /** Drafts of each model path at most. */
  readonly samples: number
  readonly temperatures?: readonly [number | null, number | null, number | null]
  readonly readsFree: boolean
  readonly asksForKeywords: boolean
  readonly asksFixer: boolean
  readonly selection: ChaseSettings['selection']
}

/** Drafts of CHASE-SQL: seven of each of its three paths (section 4.3). */
const CHASE_DRAFTS = 21

/** What a strategy says of our own drafting; for published systems, what is left to it when their model fails. */
export const ownDrafting = (
  strategy: StrategyName,
  { drafting, strategies: { chase } }: Pick<Config, 'drafting' | 'strategies'>,
): OwnDrafting => {
  const all = {
    ...{ leftOut: new Set<string>(), samples: CHASE_DRAFTS, selection: 'pairwise' as const },
    ...{ readsFree: true, asksForKeywords: true, asksFixer: true },
  }
  if (strategy === 'adaptive') return { ...all, ...drafting, mode: 'adaptive' }
  if (strategy !== 'chase')
    return { ...all, mode: 'adaptive', mostDrafts: 0, asksForKeywords: false, asksFixer: false }
  const paths = [
    ['divide-and-conquer', chase.divideAndConquer, chase.divideAndConquerTemperature],
    ['query-plan', chase.queryPlan, chase.queryPlanTemperature],
    ['online-synthetic', chase.onlineSynthetic, chase.onlineSyntheticTemperature],
  ] as const
  const [first, second, third] = paths.map(([, , temperature]) => temperature)
  return {
    mode: chase.mode,
    // An earlier setting limits this strategy too.
    mostDrafts: drafting.mode === 'full' ? drafting.mostDrafts : CHASE_DRAFTS,
    samples: chase.samples,
    leftOut: new Set(paths.filter(([, isUsed]) => !isUsed).map(([name]) => name)),
    temperatures: [first ?? null, second ?? null, third ?? null],
    readsFree: chase.freeReadings,
    asksForKeywords: chase.values,
    asksFixer: chase.fixer,
    selection: chase.selection,
  }
}
