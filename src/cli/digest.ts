import { userInfo } from 'node:os'
import Table from 'cli-table3'
import { makeStoredDigestUseCases } from '../bootstrap/digests/use-cases.ts'
import type { Digest } from '../domain/digest.ts'
import type { DigestUseCases } from '../domain/digest-use-cases.ts'
import { QuerentError } from '../domain/errors.ts'
import { makeJobs } from '../jobs/jobs.ts'
import { formatCondition } from '../slack/views/digests/format.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './terminal.ts'

/** What `digest` was told on the command line. */
interface DigestOptions {
  readonly id?: string
  /** When, under which condition, and where. */
  readonly words?: readonly string[]
  readonly json?: boolean
}

const MAX_LISTED = 10_000

/** `digest list`: those of every workspace, the next due first. */
export const runDigestList = async (options: DigestOptions, context: CommandContext): Promise<number> => {
  const digests = await (await digestRepository(context)).listAll(MAX_LISTED)
  const { terminal } = context
  context.clearProgress()
  if (options.json) writeJson(terminal.out, digests.map(digestToJson))
  else if (digests.length === 0)
    terminal.out.write('There are none. People make them in Slack, from an answer: `Schedule`.\n')
  else terminal.out.write(`${digestTable(digests)}\n`)
  return 0
}

/** `digest run`: puts a run on the queue, which the bot does when it is there; its owner's rights are checked then. */
export const runDigestRun = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(options, context, 'will run as soon as the bot gets to it', (useCases, given) =>
    useCases.runNow({ ...given, request: `cli ${context.now.toISOString()}` }),
  )

/** `digest pause`: it does not run until somebody resumes it. */
export const runDigestPause = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(options, context, 'is paused', (useCases, given) => useCases.pause(given))

/** `digest resume`: it runs again from its next due time on. */
export const runDigestResume = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(options, context, 'runs again', (useCases, given) => useCases.resume(given))

/** `digest edit`: gives it another schedule, condition or place, in the words of `/querent digest`. */
export const runDigestEdit = (options: DigestOptions, context: CommandContext): Promise<number> =>
  changeDigest(
    options,
    context,
    digest => `is due ${formatSchedule(digest)}, ${formatTarget(digest)}`,
    async (useCases, { digestId, person }, digest) => {
      const read = useCases.readWords((options.words ?? []).join(' '))
      if (read.status === 'unclear')
        return { status: 'unfit', field: 'schedule', reason: `${read.reason} ${read.nextStep}` }
      const { schedule, timeZone, condition, target } = read.digest
      if (target?.kind === 'channel-name')
        return {
          status: 'unfit',
          field: 'target',
          reason: `From here the name #${target.name} cannot be looked up. Give the id of the channel: in C0123456789.`,
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
  const digest = await findDigest(options.id ?? '', context)
  const own = await resources.ownStore()
  const jobs = await makeJobs({ url: own.url, executeIn: own.store.executeIn, log: context.log })
  try {
    const useCases = makeStoredDigestUseCases(resources, own, {
      // Who has this shell has the store: rights are asked of the owner when it runs.
      access: {
        mayAsk: async () => ({ status: 'allowed', database: '' }),
        reachable: async () =>
          digest.questions.map(({ database }) => ({ database, channels: [], direct: true })),
      },
      isAdmin: () => true,
      most: context.config.digests,
      limit: async () => null,
      findAnswered: async () => null,
      sendJob: (queue, data, given) => jobs.send(queue, data, given),
      now: () => context.now,
    })
    const sayDone = typeof done === 'string' ? () => done : done
    const changed = await act(useCases, { digestId: digest.id, person: currentOwner() }, digest)
    context.clearProgress()
    if (changed.status !== 'changed') {
      const reason = 'reason' in changed ? changed.reason : 'Somebody deleted it at the same moment.'
      if (options.json) writeJson(terminal.out, { status: changed.status, reason })
      else terminal.err.write(`${reason}\n`)
      return 1
    }
    if (options.json) writeJson(terminal.out, digestToJson(changed.digest))
    else terminal.out.write(`${digest.id.slice(0, 8)} ${sayDone(changed.digest)}: ${digest.title}\n`)
    return 0
  } finally {
    await jobs.stop({ timeoutMs: 0 })
  }
}

const digestRepository = async ({ resources }: CommandContext) =>
  (await resources.ownStore()).store.repositories.digests

/** Who is at the terminal, as the system knows them. */
const currentOwner = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'command line'
  }
}

/** Ids are long; the beginning of one will do while only one begins so. */
const MIN_ID_LENGTH = 4

const findDigest = async (id: string, context: CommandContext): Promise<Digest> => {
  if (!/^[0-9a-f-]+$/i.test(id) || id.length < MIN_ID_LENGTH)
    throw new QuerentError(
      'bad-arguments',
      `“${id}” is no id: give at least ${MIN_ID_LENGTH} of its characters, as \`digest list\` shows it`,
    )
  const [digest, other] = await (await digestRepository(context)).findByPrefix(id)
  if (digest === undefined)
    throw new QuerentError('bad-arguments', `there is no digest ${id}; \`digest list\` shows them`)
  if (other !== undefined)
    throw new QuerentError('bad-arguments', `several ids begin with ${id}; give more of it`)
  return digest
}

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

/** When, under which condition and where, in words that `digest edit` reads. */
const formatSchedule = ({ schedule, condition }: Digest): string =>
  [`${schedule.words} (${schedule.timeZone})`, formatCondition(condition)]
    .filter(part => part !== null)
    .join(', ')

const formatTarget = ({ target }: Digest): string =>
  target.kind === 'channel' ? `in ${target.channel}` : `to ${target.person}`

const digestTable = (digests: readonly Digest[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['id', 'title', 'when', 'next (UTC)', 'where', 'owner'],
    colWidths: [10, 36, 34, 22, 17, 14],
    wordWrap: true,
  })
  for (const digest of digests) {
    const { id, title, nextDue, pause, owner } = digest
    const next = pause
      ? `paused: ${pause.why}`
      : (nextDue?.toISOString().slice(0, 16).replace('T', ' ') ?? '')
    table.push([id.slice(0, 8), title, formatSchedule(digest), next, formatTarget(digest), owner])
  }
  return table.toString()
}
