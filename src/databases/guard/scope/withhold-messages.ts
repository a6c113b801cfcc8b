import type { Connector } from '../../../domain/database.ts'
import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import { WireOverflow } from '../../connectors/read-only-transaction.ts'

/** What is said instead of a database's own message, which may quote a value or a name that the lists hide. */
export const withheldMessages: Readonly<Partial<Record<SqlErrorClass, string>>> = {
  syntax: 'The database could not read the statement.',
  'unknown-table': 'The statement names a table that does not exist.',
  'unknown-column': 'The statement names a column that does not exist.',
  'ambiguous-column': 'The statement names a column that two of its tables have.',
  'type-mismatch': 'The statement uses values of types that do not fit.',
  function: 'The statement calls a function that does not exist, or passes arguments that do not fit.',
  aggregation: 'The statement mixes single values with totals in a way that is not allowed.',
  permission: 'The database did not allow the statement.',
  timeout: 'The statement took too long and was stopped.',
  cancelled: 'The statement was cancelled.',
  connection: 'The connection to the database was lost.',
  other: 'The database could not finish the statement.',
}

/** The same connector; its errors keep their class and the server's code, and say nothing of what the server said. */
export const withholdMessages = (connector: Connector): Connector => ({
  ...connector,
  run: (sql, options) => connector.run(sql, options).catch(rethrowPlain),
  explain: (sql, options) => connector.explain(sql, options).catch(rethrowPlain),
})

const rethrowPlain = (error: unknown): never => {
  // Not even as a cause: causes are printed with stacks.
  if (!(error instanceof SqlError))
    throw error instanceof QuerentError ? error : new SqlError('other', withheldMessages.other ?? '')
  // How much a result may be is our own limit.
  if (error.cause instanceof WireOverflow) throw error
  const said = withheldMessages[error.errorClass]
  throw said === undefined ? error : new SqlError(error.errorClass, said, { driverCode: error.driverCode })
}
