/** The part of pg-cursor 2.22 that is used here; the package brings no types. */
declare module 'pg-cursor' {
  import type { Connection, FieldDef, Submittable } from 'pg'

  export interface CursorConfig {
    readonly rowMode: 'array'
    readonly types: { readonly getTypeParser: (oid: number) => (text: string) => unknown }
  }

  export default class Cursor implements Submittable {
    constructor(text: string, values: readonly unknown[], config: CursorConfig)
    submit(connection: Connection): void
    handleRowDescription(message: { readonly fields: FieldDef[] }): void
    handleError(error: Error): void
    read(rows: number): Promise<unknown[][]>
    close(): Promise<void>
  }
}
