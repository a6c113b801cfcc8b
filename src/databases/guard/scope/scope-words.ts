import type { Source } from './sources-in-sight.ts'

/** How a refusal says what a scope keeps. One place, because people and models read these. */
export const scopeMessages = {
  table: (name: string): string => `it reads ${name}, which may not be asked about`,
  unknownTable: (name: string, nearest: string | null): string =>
    `it reads ${name}, which is no table here${nearest === null ? '' : `; the nearest is ${nearest}`}`,
  view: (name: string, reason: string | null): string =>
    reason === null
      ? `it reads the view ${name}, of which nobody can tell what it reads: it has to be named under tables.include`
      : `it reads the view ${name}, and ${reason}`,
  column: (title: string, name: string): string => `it reads ${title}.${name}, which may not be asked about`,
  masked: (title: string, name: string): string =>
    `it uses the values of ${title}.${name}, which are masked: it may only be counted, checked for NULL, or joined on with = to a column of another table`,
  unknownColumn: (name: string): string => `it names ${name}, which is no column of the tables it reads`,
  systemColumn: (name: string): string => `it names ${name}, a column of the server's own`,
  star: (source: Source): string =>
    `it reads all columns of ${source.title} (*), ${restrictedColumns(source)}`,
  row: (source: Source): string => `it takes whole rows of ${source.title}, ${restrictedColumns(source)}`,
  natural: (source: Source): string =>
    `it joins ${source.title} by whatever columns have the same name (NATURAL), of which some may not be asked about: name them with USING`,
  renamed: (title: string): string =>
    `it gives the columns of ${title} other names in their order, of which some may not be asked about: rename them in the SELECT list`,
  reshaped: (source: Source): string =>
    `it turns ${source.title} around (PIVOT or UNPIVOT), ${restrictedColumns(source)}`,
  pattern: (what: string): string =>
    `it names columns by ${what}, which could be any of them: name the ones it needs`,
  unclear: (name: string): string => `it names ${name} in a place that could not be understood`,
}

const maxNamed = 12

const restrictedColumns = ({ columns }: Source): string => {
  const open = [...columns].filter(([, access]) => access === 'open').map(([name]) => name)
  const more = open.length > maxNamed ? ` and ${open.length - maxNamed} more` : ''
  return `of which some may not be asked about: name the ones it needs (${open.slice(0, maxNamed).join(', ')}${more})`
}
