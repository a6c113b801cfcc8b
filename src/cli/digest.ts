import Table from 'cli-table3'
import { makeStoredDigestUseCases } from '../bootstrap/digests/use-cases.ts'
import type { Digest } from '../domain/digests/digest.ts'
import type { DigestUseCases } from '../domain/digests/use-cases.ts'
import { makeJobs } from '../jobs/jobs.ts'
import { formatCondition } from '../slack/views/digests/format.ts'
import {
  type CommandContext,
  currentPerson,
  findByIdPrefix,
  shortId,
  unknownPerson,
} from './command-context.ts'
import { digestCopy as copy } from './copy/feedback.ts'
import { writeJson } from './terminal.ts'

/** The arguments of the `digest` commands. */
interface DigestOptions {
  readonly id?: string
  /** Schedule, condition and place. */
  readonly words?: readonly string[]
  readonly json?: boolean
}

const MAX_LISTED = 10_000

/** `digest list`: the digests of every workspace, the next one due first. */
export const runDigestList = async (options: DigestOptions, context: CommandContext): Promise<number> => {
  const digests = await (await digestRepository(context)).listAll(MAX_LISTED)
  const { terminal } = context
  context.clearProgress()
  if (options.json) writeJson(terminal.out, digests.map(digestToJson))
  else if (digests.length === 0) terminal.out.write(`${copy.none}\n`)
  else terminal.out.write(`${digestTable(digests)}\n`)
  return 0
}

/** `digest run`: queues a run for the bot, which checks the owner's permissions then. */
export const runDigestRun = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(options, context, copy.willRun, (useCases, given) =>
    useCases.runNow({ ...given, request: `cli ${context.now.toISOString()}` }),
  )

/** `digest pause`: stops a digest until someone resumes it. */
export const runDigestPause = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(options, context, copy.isPaused, (useCases, given) => useCases.pause(given))

/** `digest resume`: runs a digest again from its next due time. */
export const runDigestResume = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(options, context, copy.isResumed, (useCases, given) => useCases.resume(given))

/** `digest edit`: changes schedule, condition or place, in the words of `/querent digest`. */
export const runDigestEdit = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(
    options,
    context,
    digest => copy.isChanged(formatSchedule(digest), formatTarget(digest)),
    async (useCases, { digestId, person }, digest) => {
      const read = useCases.readWords((options.words ?? []).join(' '))
      if (read.status === 'unclear')
        return { status: 'unfit', field: 'schedule', reason: `${read.reason} ${read.nextStep}` }
      const { schedule, timeZone, condition, target } = read.digest
      if (target?.kind === 'channel-name')
        return {
          status: 'unfit',
          field: 'target',
          reason: copy.channelName(target.name),
        }
      const isToOwner = target?.kind === 'asker'
      return useCases.edit({
        ...{ digestId, person },
        form: {
          ...{ schedule, condition },
          timeZone: timeZone ?? digest.schedule.timeZone,
          target: isToOwner ? { kind: 'person', person: digest.owner } : (target ?? digest.target),
        },
      })
    },
  )

const changeDigest = async (
  options: DigestOptions,
  context: CommandContext,
  done: string | ((changed: Digest) => string),
  act: (
    useCases: DigestUseCases,
    given: { readonly digestId: string; readonly person: string },
    digest: Digest,
  ) => ReturnType<DigestUseCases['pause']>,
): Promise<number> => {
  const { resources, terminal } = context
  const { findByPrefix } = await digestRepository(context)
  const digest = await findByIdPrefix(options.id ?? '', id => findByPrefix(id), copy.idErrors)
  const own = await resources.ownStore()
  const jobs = await makeJobs({ url: own.url, executeIn: own.store.executeIn, log: context.log })
  try {
    const useCases = makeStoredDigestUseCases(resources, own, {
      // Anyone with this shell can read the store anyway. The owner's permissions are checked when the digest runs.
      access: {
        audience: async () => ({ kind: 'everyone' }),
        mayAsk: async () => ({ status: 'allowed', database: '' }),
        reachableDatabases: async () =>
          digest.questions.map(({ database }) => ({ database, channels: [], direct: true })),
      },
      isAdmin: () => true,
      most: context.config.digests,
      limit: async () => null,
      findAnswered: async () => null,
      sendJob: (queue, data, given) => jobs.send(queue, data, given),
      now: () => context.now,
    })
    const describeChange = typeof done === 'string' ? () => done : done
    const changed = await act(
      useCases,
      { digestId: digest.id, person: currentPerson() ?? unknownPerson },
      digest,
    )
    context.clearProgress()
    if (changed.status !== 'changed') {
      const reason = 'reason' in changed ? changed.reason : copy.deletedMeanwhile
      if (options.json) writeJson(terminal.out, { status: changed.status, reason })
      else terminal.err.write(`${reason}\n`)
      return 1
    }
    if (options.json) writeJson(terminal.out, digestToJson(changed.digest))
    else
      terminal.out.write(`${copy.done(shortId(digest.id), describeChange(changed.digest), digest.title)}\n`)
    return 0
  } finally {
    await jobs.stop({ timeoutMs: 0 })
  }
}

const digestRepository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.digests

const digestToJson = (digest: Digest) => ({
  id: digest.id,
  team: digest.team,
  owner: digest.owner,
  title: digest.title,
  schedule: digest.schedule.words,
  cron: digest.schedule.cron,
  timeZone: digest.schedule.timeZone,
  condition: digest.condition,
  target: digest.target,
  questions: digest.questions.map(({ text, database, statement }) => ({
    text,
    database,
    sql: statement.sql,
  })),
  nextDue: digest.nextDue?.toISOString() ?? null,
  paused: digest.pause && { ...digest.pause, at: digest.pause.at.toISOString() },
  failures: digest.failures,
  waitsForRepair: digest.repair !== null,
})

/** The schedule and the condition, in words that `digest edit` understands. */
const formatSchedule = ({ schedule, condition }: Digest): string =>
  [`${schedule.words} (${schedule.timeZone})`, formatCondition(condition)]
    .filter(part => part !== null)
    .join(', ')

const formatTarget = ({ target }: Digest): string =>
  target.kind === 'channel' ? copy.inChannel(target.channel) : copy.toPerson(target.person)

const digestTable = (digests: readonly Digest[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: [...copy.head],
    colWidths: [10, 36, 34, 22, 17, 14],
    wordWrap: true,
  })
  for (const digest of digests) {
    const { id, title, nextDue, pause, owner } = digest
    const next = pause
      ? copy.paused(pause.why)
      : (nextDue?.toISOString().slice(0, 16).replace('T', ' ') ?? '')
    table.push([shortId(id), title, formatSchedule(digest), next, formatTarget(digest), owner])
  }
  return table.toString()
}
