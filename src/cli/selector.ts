import Table from 'cli-table3'
import { QuerentError } from '../domain/errors.ts'
import { type ExpertRecord, type SelectorVersion, shippedVersion } from '../domain/selection/ranking.ts'
import { makePromoteSelector, makeRollBackSelector, type PromotionResult } from '../feedback/champion.ts'
import { selectorModelSchema } from '../ranking/selector/selector-model.ts'
import { type CommandContext, currentPerson, unknownPerson } from './command-context.ts'
import { selectorCopy as copy } from './copy/feedback.ts'
import { writeJson } from './terminal.ts'

interface SelectorOptions {
  readonly version?: string
  readonly json?: boolean
}

/** `selector list`: the selectors trained on votes, why each is in use or not, and how often each path was right. */
export const runSelectorList = async (options: SelectorOptions, context: CommandContext): Promise<number> => {
  const { terminal } = context
  const { selectorVersions, expertWeights } = await repositories(context)
  const versions = await selectorVersions.list()
  const experts = await expertWeights.list()
  const inUse = versions.find(({ state }) => state === 'champion')?.version ?? shippedVersion
  context.clearProgress()
  if (options.json) writeJson(terminal.out, { inUse, versions: versions.map(versionToJson), experts })
  else terminal.out.write(`${formatSelectors(inUse, versions, experts)}\n`)
  return 0
}

/** `selector promote VERSION`: uses a trained selector. */
export const runSelectorPromote = (options: SelectorOptions, context: CommandContext): Promise<number> =>
  changeSelector(makePromoteSelector, options, context)

/** `selector rollback VERSION`: goes back to a selector that was in use before, or to the shipped one. */
export const runSelectorRollback = (options: SelectorOptions, context: CommandContext): Promise<number> =>
  changeSelector(makeRollBackSelector, options, context)

const repositories = async ({ resources }: Pick<CommandContext, 'resources'>) =>
  (await resources.ownStore()).store.repositories

const changeSelector = async (
  make: typeof makePromoteSelector,
  { version = '', json }: SelectorOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, terminal, now } = context
  const { store } = await resources.ownStore()
  const { find, findChampion, setState } = store.repositories.selectorVersions
  const decide = make({
    find: async (version, tx) => {
      const found = await find(version, tx)
      // A selector that this version of Querent cannot read would rank nothing.
      return found && selectorModelSchema.safeParse(found.model).success ? found : null
    },
    findChampion,
    setState,
    inTransaction: store.inTransaction,
    now: () => now,
  })
  const decided = await decide(version, currentPerson() ?? unknownPerson)
  context.clearProgress()
  if (decided.status !== 'in-use') throw new QuerentError('bad-arguments', formatRefusal(version, decided))
  if (json) writeJson(terminal.out, decided)
  else
    terminal.out.write(
      decided.before === decided.version
        ? `${copy.alreadyInUse(version)}\n`
        : `${copy.nowInUse(version, decided.before)}\n`,
    )
  return 0
}

const formatRefusal = (version: string, decided: Exclude<PromotionResult, { status: 'in-use' }>): string => {
  switch (decided.status) {
    case 'unknown':
      return copy.unknown(version, shippedVersion)
    case 'not-before':
      return copy.neverInUse(version)
    default: {
      const never: never = decided
      return never
    }
  }
}

const versionToJson = ({ version, state, report, trainedAt, decidedBy, decidedAt }: SelectorVersion) => ({
  version,
  state,
  trainedAt: trainedAt.toISOString(),
  decidedBy,
  decidedAt: decidedAt.toISOString(),
  report,
})

const formatSelectors = (
  inUse: string,
  versions: readonly SelectorVersion[],
  experts: readonly ExpertRecord[],
): string =>
  [
    inUse === shippedVersion ? copy.shippedInUse : copy.inUse(inUse, shippedVersion),
    versions.length === 0 ? copy.noneTrained : versionTable(versions),
    ...(experts.length === 0 ? [] : [copy.expertsTitle, expertTable(experts)]),
  ].join('\n')

const tableStyle = { head: [], border: [], compact: true }

const versionTable = (versions: readonly SelectorVersion[]): string => {
  const table = new Table({
    style: tableStyle,
    head: [...copy.versionHead],
    colAligns: ['left', 'left', 'left', 'right', 'right', 'right', 'left'],
  })
  for (const { version, state, report, decidedBy } of versions) {
    const { against, heldOut, benchmark, trainedOn } = report
    table.push([
      version,
      state,
      against,
      copy.gain(heldOut.gain, heldOut.standardError),
      copy.benchmark(benchmark.challenger, benchmark.champion, benchmark.questions),
      copy.voters(trainedOn.voters),
      decidedBy ?? copy.byTraining,
    ])
  }
  return table.toString()
}

const expertTable = (experts: readonly ExpertRecord[]): string => {
  const table = new Table({
    style: tableStyle,
    head: [...copy.expertHead],
    colAligns: ['left', 'right', 'right', 'right'],
  })
  for (const { expert, weight, mistakes, rounds } of experts)
    table.push([expert, weight.toFixed(3), mistakes, rounds])
  return table.toString()
}
