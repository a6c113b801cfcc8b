/** The part of pg-cursor 2.22 that is used here; the package brings no types. */
declare module 'pg-cursor' {
  import type { FieldDef, Submittable } from 'pg'

  export interface CursorConfig {
    readonly rowMode: 'array'
    readonly types: { readonly getTypeParser: (oid: number) => (text: string) => unknown }
  }

  export default class Cursor implements Submittable {
    constructor(text: string, values: readonly unknown[], config: CursorConfig)
    readonly submit: Submittable['submit']
    /** `result` is missing when the statement had ended before this read. */
    read(
      rows: number,
      done: (error: Error | null, rows: unknown[][], result?: { readonly fields: FieldDef[] }) => void,
    ): void
    close(): Promise<void>
  }
}
