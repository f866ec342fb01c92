// The text editor of the page: CodeMirror with TOML, completion and marks of problems in place.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/**
 * An editor in `parent`. `complete` takes the text before the cursor and whether the user asked; it gives
 * { from, options } or null. `changed` hears every text that the user has typed.
 *
 * Tab leaves the editor, so that no keyboard user is caught in it.
 */
export const editor = ({ parent, text, label, complete, changed }) => {
  const source = ({ state, pos, explicit }) => complete(state.sliceDoc(0, pos), explicit);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
        StreamLanguage.define(toml), syntaxHighlighting(classHighlighter), search({ top: true }),
        autocompletion({ override: [source], icons: false }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap,
          { key: "Alt-/", run: startCompletion }]),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && changed(state.doc.toString())),
        EditorView.theme({}),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    /** Another text in place of the whole; it can be undone. */
    replace: (other) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: other } }),
    /** Marks problems at their lines and columns, both from 1; those without a line are marked nowhere. */
    mark: (problems) => {
      const { doc } = view.state;
      const marks = problems.filter(({ line }) => line > 0 && line <= doc.lines).map(({ line, column, message, severity }) => {
        const { from, to } = doc.line(line);
        const start = Math.min(to, from + Math.max(0, (column || 1) - 1));
        const word = /^[\w.-]+|^"[^"]*"|^\S+/.exec(doc.sliceString(start, to))?.[0].length ?? 0;
        return { from: start === to ? from : start, to: word ? start + word : to, message, severity };
      });
      view.dispatch(setDiagnostics(view.state, marks.sort((a, b) => a.from - b.from)));
    },
    /** Puts the cursor at a place, in view. */
    show: (line, column) => {
      const { doc } = view.state;
      const at = doc.line(Math.min(Math.max(1, line), doc.lines));
      const anchor = Math.min(at.to, at.from + Math.max(0, (column || 1) - 1));
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
};
