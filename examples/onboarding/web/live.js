"use strict";

// The state of the page comes from the server whenever it changes.
const state = document.getElementById("state");
const live = new EventSource(state.dataset.live);
live.onmessage = (event) => { state.innerHTML = event.data; };
live.onopen = () => { document.body.dataset.live = "yes"; };
live.onerror = () => { document.body.dataset.live = "no"; };

// The buttons post without leaving the page.
const refused = document.getElementById("refused");
document.querySelectorAll(".user form").forEach((form) => {
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
		refused.textContent = answer.ok ? "" : await answer.text();
	});
});
