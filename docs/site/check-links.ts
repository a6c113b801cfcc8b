import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What is wrong with the links of a built site, one line each: no page there, no such section, or a file that a browser
 * would load from another server. Links that a reader follows to other sites are not looked at.
 *
 * @param base where the site is on its server, such as `/`
 */
export const findBrokenLinks = (folder: string, base: string): readonly string[] => {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.html'))
      .map(path => [path, readFileSync(join(folder, path), 'utf8')] as const),
  )
  const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]))

  const problemOf = (page: string, { element, target }: Link): string | null => {
    const address = new URL(target, `http://site${base}${page.replace(/index\.html$/, '')}`)
    if (address.host !== 'site') return element === 'a' ? null : 'is loaded from another server'
    if (!address.pathname.startsWith(base)) return `is outside of ${base}`
    const file = fileOf(folder, decodeURIComponent(address.pathname.slice(base.length)))
    if (file === null) return 'is not there'
    const anchor = decodeURIComponent(address.hash.slice(1))
    return anchor === '' || anchors.get(file)?.has(anchor) !== false ? null : 'has no such section'
  }

  return [...pages].flatMap(([page, html]) =>
    linksOf(html).flatMap(link => {
      const problem = problemOf(page, link)
      return problem === null ? [] : [`${page}: ${link.target} ${problem}`]
    }),
  )
}

interface Link {
  /** Name of the element, such as `a`. */
  readonly element: string
  readonly target: string
}

const linksOf = (html: string): readonly Link[] =>
  [...html.matchAll(/<([a-z]+)(?=\s)[^>]*?\s(?:href|src)="([^"]+)"/g)]
    .map(([, element = '', target = '']) => ({
      element,
      target: target.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
    }))
    .filter(({ target }) => !/^(data|mailto|javascript):/.test(target))

const anchorsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))

/** The file that a server sends for a path; null if there is none. */
const fileOf = (folder: string, path: string): string | null => {
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  return existsSync(join(folder, file)) && statSync(join(folder, file)).isFile() ? file : null
}
