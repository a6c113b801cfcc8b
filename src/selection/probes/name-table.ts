import type { Catalog, Table } from '../../core/catalog.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'

/** A table as a statement names it. */
export const formatTableName = ({ schema, name }: Table, { dialect }: Catalog): string =>
  schema === null
    ? quoteIdentifier(name, dialect)
    : `${quoteIdentifier(schema, dialect)}.${quoteIdentifier(name, dialect)}`
