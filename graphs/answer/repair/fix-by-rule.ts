import type { FixSql } from '../../../src/domain/candidate.ts'
import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'
import { expandAliases, qualifyColumns } from './column-references.ts'
import { translateFunctions } from './dialects/translate-functions.ts'
import { translateSyntax } from './dialects/translate-syntax.ts'
import { completeGrouping, moveConditions } from './grouping.ts'
import { matchTypes } from './match-types.ts'
import { addMissingJoins } from './missing-joins.ts'
import { renameColumns } from './rename-columns.ts'
import { renameTables } from './rename-tables.ts'
import { limitRows } from './result-shape.ts'
import { applyEdits, type Edit, readStatement, type Statement } from './statement.ts'
import { nameSubqueries, quoteNames, quoteSpecialNames, stripWrapping } from './syntax.ts'
import { correctLiterals, ignoreCaseInPatterns, useSingleQuotes } from './text-literals.ts'

/** What to change in a statement; nothing when the rule does not apply or there is more than one way to apply it. */
type Rule = (statement: Statement, question: string) => readonly Edit[]

/** Rules for each class of failure, in the order in which they are applied. */
const rules: Readonly<Partial<Record<SqlErrorClass, readonly Rule[]>>> = {
  syntax: [quoteNames, translateSyntax, translateFunctions, nameSubqueries],
  'unknown-table': [quoteSpecialNames, renameTables, renameColumns, addMissingJoins],
  'unknown-column': [
    useSingleQuotes,
    quoteSpecialNames,
    renameColumns,
    expandAliases,
    addMissingJoins,
    moveConditions,
    translateFunctions,
  ],
  'ambiguous-column': [qualifyColumns],
  'type-mismatch': [matchTypes, translateFunctions],
  function: [translateFunctions, matchTypes],
  aggregation: [moveConditions, completeGrouping],
  'empty-result': [correctLiterals, ignoreCaseInPatterns],
  'wrong-shape': [limitRows],
  // The guard reads a statement before a database does, so what does not parse is mostly refused by it.
  refused: [
    translateFunctions,
    statement => (statement.scopes.length === 0 ? translateSyntax(statement) : []),
    statement => (statement.scopes.length === 0 ? quoteNames(statement) : []),
  ],
}

/**
 * Repairs what needs no model. Each rule acts only where there is one way to act; what it writes must be new, and the
 * guard must allow it. Of 5,759 statements of public pools of candidates with something wrong (Spider dev, on SQLite)
 * 1,708 ran well after that; those that gave the gold's result went from 523 to 1,779 (docs/benchmarks.md).
 */
export const makeFixByRule =
  (): FixSql =>
  async ({ sql, errorClass, database, history, understanding }) => {
    let fixed = errorClass === 'syntax' || errorClass === 'refused' ? stripWrapping(sql, database) : sql
    for (const rule of rules[errorClass] ?? []) {
      const statement = readStatement(fixed, database)
      if (statement) fixed = applyEdits(fixed, rule(statement, understanding.text))
    }
    const isNew = fixed !== sql && !history.some(earlier => earlier.sql === fixed)
    // What the guard refuses already may still be on its way; nothing else is brought before it in vain.
    const isUsable =
      isNew &&
      (errorClass === 'refused'
        ? parseSql(fixed, database.dialect).ok
        : database.guard(fixed).verdict === 'allow')
    return { sql: isUsable ? fixed : null, usage: noModelUsage }
  }
