import Table from 'cli-table3'
import { QuerentError } from '../domain/errors.ts'
import { type ExpertRecord, type SelectorVersion, shippedVersion } from '../domain/ranking.ts'
import { makePromoteSelector, makeRollBackSelector, type PromotionResult } from '../feedback/champion.ts'
import { selectorModelSchema } from '../ranking/selector/selector-model.ts'
import { type CommandContext, currentPerson } from './command-context.ts'
import { writeJson } from './terminal.ts'

interface SelectorOptions {
  readonly id?: string
  readonly json?: boolean
}

/** `selector list`: the selectors that votes trained, why each is in use or not, and how the ways to draft have done. */
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

/** `selector promote VERSION`: a person puts a trained selector in use. */
export const runSelectorPromote = (options: SelectorOptions, context: CommandContext): Promise<number> =>
  changeSelector(makePromoteSelector, options, context)

/** `selector rollback VERSION`: back to one that was in use before, or to the shipped one. */
export const runSelectorRollback = (options: SelectorOptions, context: CommandContext): Promise<number> =>
  changeSelector(makeRollBackSelector, options, context)

const repositories = async ({ resources }: Pick<CommandContext, 'resources'>) =>
  (await resources.ownStore()).store.repositories

const changeSelector = async (
  make: typeof makePromoteSelector,
  { id = '', json }: SelectorOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, terminal, now } = context
  const { store } = await resources.ownStore()
  const { find, findChampion, setState } = store.repositories.selectorVersions
  const decide = make({
    find: async (version, tx) => {
      const found = await find(version, tx)
      // One that this version of Querent cannot read would rank nothing.
      return found && selectorModelSchema.safeParse(found.model).success ? found : null
    },
    findChampion,
    setState,
    inTransaction: store.inTransaction,
    now: () => now,
  })
  const decided = await decide(id, currentPerson() ?? 'somebody at a terminal')
  context.clearProgress()
  if (decided.status !== 'in-use') throw new QuerentError('bad-arguments', formatRefusal(id, decided))
  if (json) writeJson(terminal.out, decided)
  else
    terminal.out.write(
      decided.before === decided.version
        ? `${id} is in use already.\n`
        : `${id} is in use now, in place of ${decided.before}. Running bots take it over within half a minute.\n`,
    )
  return 0
}

const formatRefusal = (id: string, decided: Exclude<PromotionResult, { status: 'in-use' }>): string => {
  switch (decided.status) {
    case 'unknown':
      return `there is no selector ${id} that can be read; \`selector list\` shows them, and “${shippedVersion}” is the one that came with Querent`
    case 'not-before':
      return `${id} was rejected, so it is nothing to go back to; \`selector promote ${id}\` puts it in use all the same`
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
    inUse === shippedVersion
      ? 'In use: the selector that came with Querent.'
      : `In use: ${inUse}. \`selector rollback ${shippedVersion}\` goes back to the one that came with Querent.`,
    versions.length === 0 ? 'None has been trained on votes yet.' : versionTable(versions),
    ...(experts.length === 0
      ? []
      : ['How the ways to draft have done, by what people said:', expertTable(experts)]),
  ].join('\n')

const tableStyle = { head: [], border: [], compact: true }

const versionTable = (versions: readonly SelectorVersion[]): string => {
  const table = new Table({
    style: tableStyle,
    head: ['version', 'state', 'against', 'gain on votes', 'benchmark', 'votes of', 'by'],
    colAligns: ['left', 'left', 'left', 'right', 'right', 'right', 'left'],
  })
  for (const { version, state, report, decidedBy } of versions) {
    const { against, heldOut, benchmark, trainedOn } = report
    table.push([
      version,
      state,
      against,
      `${heldOut.gain.toFixed(3)} ± ${heldOut.standardError.toFixed(3)}`,
      `${benchmark.challenger} / ${benchmark.champion} of ${benchmark.questions}`,
      `${trainedOn.voters} people`,
      decidedBy ?? 'the nightly training',
    ])
  }
  return table.toString()
}

const expertTable = (experts: readonly ExpertRecord[]): string => {
  const table = new Table({
    style: tableStyle,
    head: ['drafts of', 'weight', 'mistakes', 'answers'],
    colAligns: ['left', 'right', 'right', 'right'],
  })
  for (const { expert, weight, mistakes, rounds } of experts)
    table.push([expert, weight.toFixed(3), mistakes, rounds])
  return table.toString()
}
