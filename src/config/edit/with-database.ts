import { isMap, parseDocument } from 'yaml'
import { QuerentError } from '../../core/errors.ts'

/**
 * A database as it is to stand in querent.yml: an address, best as `${NAME}`, or a path of a SQLite file; null leaves where
 * it is as it is.
 */
export interface NewDatabase {
  readonly name: string
  readonly place: { readonly url: string } | { readonly path: string } | null
  readonly description: string | null
}

const settingsPreface = `# Settings of Querent. querent.example.yml has all that there are, docs/configuration.md says what each means.
`

/**
 * The text of a querent.yml with a database in it, which becomes the default. What else stands there stays, comments too;
 * of a database that bears the name already, only where it is changes. `text`: the file as it is, null where there is none.
 * Throws `QuerentError('bad-configuration')` for a text that is not YAML.
 */
export const addDatabase = (text: string | null, { name, place, description }: NewDatabase): string => {
  const document = parseDocument(text ?? settingsPreface)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw new QuerentError(
      'bad-configuration',
      'querent.yml cannot be added to, for it is not valid YAML; correct it first',
    )
  if (document.contents === null) {
    // A file of comments alone: they stay above what comes.
    document.commentBefore ??= document.comment ?? null
    document.comment = null
    document.contents = document.createNode({}) as unknown as typeof document.contents
  }
  document.set('defaultDatabase', name)
  if (!isMap(document.get('databases'))) document.set('databases', document.createNode({}))
  if (!isMap(document.getIn(['databases', name])))
    document.setIn(['databases', name], document.createNode({}))
  if (place !== null) {
    for (const key of ['url', 'path']) if (!(key in place)) document.deleteIn(['databases', name, key])
    for (const [key, value] of Object.entries(place)) document.setIn(['databases', name, key], value)
  }
  if (description !== null) document.setIn(['databases', name, 'description'], description)
  return document.toString({ lineWidth: 0 })
}
