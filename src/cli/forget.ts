import { createInterface } from 'node:readline/promises'
import { makeForgetPersonEverywhere } from '../bootstrap/forget-person.ts'
import { openSharedBackends } from '../bootstrap/shared-services.ts'
import { auditFolder } from '../bootstrap/statement-audit.ts'
import { QuerentError } from '../domain/errors.ts'
import type { ForgottenKind, ForgottenRows } from '../domain/operations/audit.ts'
import type { CommandContext } from './command-context.ts'
import { forgetCopy as copy } from './copy/operations.ts'
import { screenOf, writeJson } from './terminal.ts'

/** The options of `forget`. */
interface ForgetOptions {
  readonly person?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** `forget`: shows what is kept about a person and, after a confirmation, deletes it or removes the name. */
export const runForget = async (options: ForgetOptions, context: CommandContext): Promise<number> => {
  const { resources, config, log, terminal } = context
  const { person } = options
  if (person === undefined) throw new QuerentError('bad-arguments', copy.personMissing)
  const own = await resources.ownStore()
  const shared = openSharedBackends({ config, url: own.url, releasers: resources.releasers, log })
  const forget = makeForgetPersonEverywhere(own, shared.cache, auditFolder(config))
  context.clearProgress()
  const rows = await forget(person, { only: 'count' })
  if (!options.json) terminal.out.write(formatSummary(person, rows))
  const found = Object.values(rows).some(count => count > 0)
  const isConfirmed = found && (options.yes === true || (!options.json && (await confirmDeletion(context))))
  const forgotten = isConfirmed ? await forget(person, { only: 'forget' }) : null
  if (options.json)
    writeJson(terminal.out, { person, forgotten: forgotten !== null, rows: forgotten ?? rows })
  else if (forgotten) terminal.out.write(`${copy.done}\n`)
  else if (found) terminal.out.write(`${copy.unchanged}\n`)
  return 0
}

const confirmDeletion = async ({ terminal, signal }: CommandContext): Promise<boolean> => {
  if (!terminal.interactive) return false
  const reader = createInterface({ input: terminal.input, output: screenOf(terminal) })
  try {
    const reply = await reader.question(copy.confirm, { signal })
    return reply.trim().toLowerCase() === 'forget'
  } finally {
    reader.close()
  }
}

const kindLabels: Readonly<Record<ForgottenKind, string>> = copy.kinds

const formatSummary = (person: string, rows: ForgottenRows): string => {
  const lines = (Object.keys(kindLabels) as ForgottenKind[])
    .filter(kind => rows[kind] > 0)
    .map(kind => `${String(rows[kind]).padStart(8)}  ${kindLabels[kind]}\n`)
  return lines.length === 0 ? `${copy.nothing(person)}\n` : `${copy.found(person)}\n${lines.join('')}`
}
