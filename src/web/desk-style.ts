/** Styles of the operators' desk and of reports; uses the colours of `style.ts`. */
export const DESK_STYLE = `
.reported { border-inline-start: 3px solid var(--line); padding-inline-start: .75rem; }
.bar button { flex: 0 1 auto; }
.filters .field { flex: 1 1 9rem; }
.first-list { list-style: none; margin: 0 0 1rem; padding: 0; }
.first-list li { display: flex; align-items: center; gap: .625rem; padding: .375rem 0; }
.first-list .icon, .first-list .open { flex: none; width: 1.25rem; height: 1.25rem; }
.first-list .icon { color: var(--accent); }
.first-list .open { border: 2px solid var(--field); border-radius: 50%; }
.first-list .done { color: var(--soft); }
.first-steps .timeline { margin: 0 0 1rem; }
`;
