"use strict";

// The state of the page comes from the server whenever it changes.
const state = document.getElementById("state");
const live = new EventSource(state.dataset.live);
live.onmessage = (event) => { state.innerHTML = event.data; };
live.onopen = () => { document.body.dataset.live = "yes"; };
live.onerror = () => { document.body.dataset.live = "no"; };

// The buttons post without leaving the page. (form.action would be the button of that name.)
const refused = document.getElementById("refused");
let last = Promise.resolve(); // one after the other, in the order of the clicks

async function post(path, body) {
	const answer = await fetch(path, { method: "POST", body });
	refused.textContent = answer.ok ? "" : await answer.text();
}

document.querySelectorAll(".user form").forEach((form) => {
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const body = new URLSearchParams(new FormData(form, event.submitter));
		last = last.then(() => post(form.getAttribute("action"), body)).catch(() => { refused.textContent = "the application cannot be reached"; });
	});
});
