import { createRoot } from 'react-dom/client'
import 'slack-blocks-to-jsx/dist/style.css'
import './style/base.css'
import './style/frame.css'
import './style/messages.css'
import './style/blocks.css'
import './style/tables-and-charts.css'
import './style/forms.css'
import './style/narrow.css'
import { App } from './app.tsx'

const root = document.getElementById('page')
if (!root) throw new Error('the document has no place for the page')
createRoot(root).render(<App />)
