import type { Connection, FieldDef } from 'pg'
import Cursor from 'pg-cursor'
import { SqlError } from '../../../core/sql-error.ts'
import { cellTypes } from './values.ts'

/**
 * A cursor that tells its columns before anything is executed. pg-cursor asks the server to parse and describe the
 * statement when it is submitted, and to execute it at the first read; between the two stands the answer here.
 */
export class QueryCursor extends Cursor {
  /** The columns; rejects when the statement does not parse, and with `permission` when it is not a query. */
  readonly described: Promise<readonly FieldDef[]>
  readonly #settle: (columns: readonly FieldDef[] | Error) => void

  constructor(sql: string) {
    super(sql, [], { rowMode: 'array', types: cellTypes })
    const { promise, resolve, reject } = Promise.withResolvers<readonly FieldDef[]>()
    this.described = promise
    this.#settle = answer => (answer instanceof Error ? reject(answer) : resolve(answer))
  }

  override submit(connection: Connection): void {
    super.submit(connection)
    const refuse = (): void =>
      this.#settle(new SqlError('permission', 'the statement is not a query: it returns no columns'))
    connection.once('noData', refuse)
    const forget = (): void => {
      connection.removeListener('noData', refuse)
    }
    this.described.then(forget, forget)
  }

  override handleRowDescription(message: { readonly fields: FieldDef[] }): void {
    super.handleRowDescription(message)
    this.#settle(message.fields)
  }

  override handleError(error: Error): void {
    super.handleError(error)
    this.#settle(error)
  }
}
