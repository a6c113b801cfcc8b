import { resultKey } from '../../../src/ranking/result-key.ts'
import { makeSharedIndexes } from '../../../src/store/repositories/shared-indexes.ts'
import { makeStore } from '../../../src/store/store.ts'

/** A process that takes the turn to build an index and never gives it back: to be killed by a test. */
const [url, key, touchMs, staleMs] = process.argv.slice(2)

if (!url || !key) throw new Error('usage: build-lock-holder.ts URL KEY TOUCH-MS STALE-MS')

const store = makeStore({ url, resultKey })

const times = { touchMs: Number(touchMs), staleMs: Number(staleMs) }

process.send?.((await makeSharedIndexes(store, times).lockBuild(key)) === null ? 'refused' : 'taken')

setInterval(() => {}, 60_000)
