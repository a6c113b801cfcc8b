import type { Log } from '../../core/log.ts'
import type { StatementRecord } from '../../core/statement-audit.ts'
import type { AuditFile } from '../../store/audit-file/make-audit-file.ts'
import type { AuditSink } from './statement-audit.ts'

/** Whether it goes on without waiting to be written down: what measures a database, and what is refused. */
const canBeWrittenLater = ({ origin, verdict }: StatementRecord): boolean =>
  origin === 'index' || verdict === 'refused'

/**
 * The same book, and while it cannot be written to, a file for what does not wait for it: that would else be nowhere. What
 * people have run is not sent then. How a statement ended goes where its beginning is.
 */
export const withFileFallback = (
  book: Pick<AuditSink, 'insert' | 'finish'>,
  file: AuditFile,
  log: Log,
): Pick<AuditSink, 'insert' | 'finish'> => {
  const inFile = new Set<string>()
  return {
    insert: async records => {
      try {
        await book.insert(records)
      } catch (error) {
        const rest = records.filter(canBeWrittenLater)
        if (rest.length === 0) throw error
        await file.insert(rest)
        for (const { id, verdict } of rest) if (verdict === 'started') inFile.add(id)
        log.warn({ error, statements: rest.length }, 'statements are in the files of the audit log instead')
        // Whoever waits for the others is told.
        if (rest.length < records.length) throw error
      }
    },
    finish: async ends => {
      const parted = Map.groupBy(ends, ({ id }) => inFile.has(id))
      const there = parted.get(true) ?? []
      if (there.length > 0) await file.finish(there)
      // Before the book, which may fail again and again: a file would grow by the same lines each time. Tried again with
      // the others, the book is told of these too, has none of them and passes them over.
      for (const { id } of there) inFile.delete(id)
      const others = parted.get(false) ?? []
      if (others.length > 0) await book.finish(others)
    },
  }
}
