import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { safeguards } from './safeguards.ts'

/**
 * Loaded before anything else (`--import`): sources that make up the safeguard in `SWITCH_OFF` are read with a part of
 * them replaced. So a safeguard can be off in a benchmark, and nothing in the product can switch it off.
 */
const root = join(import.meta.dirname, '../..')

const safeguard = safeguards.find(({ name }) => name === process.env.SWITCH_OFF)
if (safeguard === undefined) throw new Error(`there is no safeguard called ${process.env.SWITCH_OFF}`)

const byUrl = Map.groupBy(safeguard.patches, ({ file }) => pathToFileURL(join(root, file)).href)

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const own = byUrl.get(url)
    if (own === undefined) return loaded
    let source = String(loaded.source)
    for (const { find, replace } of own) {
      if (!source.includes(find)) throw new Error(`${fileURLToPath(url)} has no longer: ${find}`)
      source = source.replace(find, () => replace)
    }
    return { ...loaded, source }
  },
})
