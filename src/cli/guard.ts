import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { makeGuard } from '../databases/guard/guard.ts'
import { makeKnownTablesGuard } from '../databases/guard/scope/apply-scope.ts'
import type { Database } from '../domain/database.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Guard } from '../domain/sql.ts'
import { defaultDialect, dialectNames } from '../sql/dialects.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOptions } from './commands.ts'
import { guardCopy } from './copy/ask.ts'
import { unreadableFile } from './copy/phrases.ts'
import { type Terminal, writeJson } from './terminal.ts'

const dialect = z.enum(dialectNames)

const statement = z.object({
  id: z.union([z.string(), z.number()]),
  sql: z.string(),
  dialect: dialect.optional(),
})

/**
 * `guard`: reads JSON lines `{id, sql, dialect?}` and writes `{id, verdict, reason}` for each, in order. A line that cannot
 * be parsed stops the command, so that no verdict goes missing unnoticed.
 */
export const runGuard = async (
  options: CommandOptions,
  { resources, terminal }: CommandContext,
): Promise<number> => {
  const database = options.database ? await resources.openDatabase(options.database) : null
  const guard = database ? guardOf(database) : makeGuard()
  await writeVerdicts(
    { dialect: database?.dialect ?? options.dialect ?? defaultDialect, file: options.file },
    guard,
    terminal,
  )
  return 0
}

/**
 * The verdict of the bot, from the same function. Without lists the bot leaves unknown tables to the database, which
 * this command does not ask: so it looks them up.
 */
const guardOf = (database: Database): Guard => {
  const guard = database.hasLists ? database.guard : makeKnownTablesGuard(database.guard, database.catalog)
  return (sql, dialect) =>
    dialect === database.dialect
      ? guard(sql)
      : { verdict: 'refuse', reason: guardCopy.otherDialect(dialect, database.dialect) }
}

const writeVerdicts = async (
  options: { readonly dialect: string; readonly file?: string | undefined },
  guard: Guard,
  terminal: Terminal,
): Promise<void> => {
  const fallback = dialect.safeParse(options.dialect)
  if (!fallback.success) {
    throw new QuerentError('bad-arguments', guardCopy.unknownDialect(options.dialect, dialectNames))
  }
  let number = 0
  for await (const line of linesOf(options.file, terminal)) {
    number++
    if (line.trim() === '') continue
    const { id, sql, dialect: own } = readStatement(line, number)
    const verdict = guard(sql, own ?? fallback.data)
    writeJson(terminal.out, {
      id,
      verdict: verdict.verdict,
      reason: verdict.verdict === 'refuse' ? verdict.reason : null,
    })
  }
}

const linesOf = async function* (file: string | undefined, terminal: Terminal): AsyncIterable<string> {
  if (file === undefined) {
    yield* createInterface({ input: terminal.input as Readable, crlfDelay: Number.POSITIVE_INFINITY })
    return
  }
  const path = resolve(terminal.folder, file)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new QuerentError('bad-arguments', unreadableFile(path, '--file'), {
      cause: error,
    })
  })
  yield* text.split(/\r?\n/)
}

const readStatement = (line: string, number: number): z.infer<typeof statement> => {
  try {
    return statement.parse(JSON.parse(line))
  } catch (error) {
    throw new QuerentError('bad-arguments', guardCopy.badLine(number, dialectNames), { cause: error })
  }
}
