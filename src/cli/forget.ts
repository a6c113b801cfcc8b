import { createInterface } from 'node:readline/promises'
import { makeForgetPersonEverywhere } from '../bootstrap/retention.ts'
import { openSharedBackends } from '../bootstrap/shared-services.ts'
import { auditFolder } from '../bootstrap/statement-audit.ts'
import { QuerentError } from '../domain/errors.ts'
import type { ForgottenKind, ForgottenRows } from '../domain/operations/audit.ts'
import type { CommandContext } from './command-context.ts'
import { writeJson } from './terminal.ts'

/** What `forget` was told on the command line. */
interface ForgetOptions {
  readonly person?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** `forget`: shows what there is of a person, and deletes it or takes the name off it once that is confirmed. */
export const runForget = async (options: ForgetOptions, context: CommandContext): Promise<number> => {
  const { resources, config, log, terminal } = context
  const { person } = options
  if (person === undefined) throw new QuerentError('bad-arguments', '--person is missing: the id of a person')
  const own = await resources.ownStore()
  const shared = openSharedBackends({ config, url: own.url, releasers: resources.releasers, log })
  const forget = makeForgetPersonEverywhere(own, shared.cache, auditFolder(config))
  context.clearProgress()
  const rows = await forget(person, { only: 'count' })
  if (!options.json) terminal.out.write(formatSummary(person, rows))
  const found = Object.values(rows).some(count => count > 0)
  const goes = found && (options.yes === true || (!options.json && (await confirmDeletion(context))))
  const forgotten = goes ? await forget(person, { only: 'forget' }) : null
  if (options.json)
    writeJson(terminal.out, { person, forgotten: forgotten !== null, rows: forgotten ?? rows })
  else if (forgotten)
    terminal.out.write('Forgotten. What Slack and your logs hold is not Querent’s to delete.\n')
  else if (found) terminal.out.write('Nothing was changed. With --yes it is done without a question.\n')
  return 0
}

const confirmDeletion = async ({ terminal, signal }: CommandContext): Promise<boolean> => {
  if (!terminal.interactive) return false
  const reader = createInterface({ input: terminal.input, output: terminal.err })
  try {
    const reply = await reader.question('This cannot be undone. Type “forget” to go on: ', { signal })
    return reply.trim().toLowerCase() === 'forget'
  } finally {
    reader.close()
  }
}

/** What each kind is called, and what becomes of it. */
const kindLabels: Readonly<Record<ForgottenKind, string>> = {
  questions: 'questions, with their answers, results and votes: deleted',
  digests: 'digests: deleted',
  remarks: 'messages of theirs in threads: deleted',
  votes: 'votes on answers of others: deleted',
  feedback: 'other feedback on answers of others: deleted',
  jobs: 'jobs in the queues: deleted',
  usage: 'entries of what they cost: kept under nobody, or deleted',
  statements: 'statements of the audit log: kept under a name that means nobody',
  names: 'replies, changes and decisions in what stays: the name taken off',
  mentions: 'texts and documents that mention them: the mention replaced',
}

const formatSummary = (person: string, rows: ForgottenRows): string => {
  const lines = (Object.keys(kindLabels) as ForgottenKind[])
    .filter(kind => rows[kind] > 0)
    .map(kind => `${String(rows[kind]).padStart(8)}  ${kindLabels[kind]}\n`)
  return lines.length === 0
    ? `There is nothing of ${person}.\n`
    : `Of ${person} there are:\n${lines.join('')}`
}
