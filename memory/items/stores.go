package items

import (
	"maps"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A Store is a memory type that holds items (systems.md E2). What it does with them follows from
// this description.
type Store struct {
	Name string
	// AppendOnly is true if an item is never changed and a new one never replaces another.
	AppendOnly bool
	// Versioned is true if an item may be the new version of others, which are then no longer
	// recalled.
	Versioned bool
	// Searchable is true if items are found by a search.
	Searchable bool
	// PerSession is true if every session has a store of its own.
	PerSession bool
	// Max is the maximum number of items, 0 if there is none. What is above it leaves: of a store that is
	// First the oldest items of an importance less than Guard, or, if there is none, the oldest of the least
	// important ones, also a new one; of others those that are the least useful for their size.
	Max   int
	First bool
	Guard float64
	// Overflow is the store into which what leaves is put away. Without one it is evicted.
	Overflow string
	// Retention is the policy of items without one.
	Retention string
	// Gated is true if items must be important and new enough.
	Gated bool
	// Types are the types of items that are routed here, besides those of the built-in routes.
	Types []string
}

// A Provider is a room from outside this package with further stores. Their items are stored,
// bounded, searched and recalled as those of the built-in stores.
type Provider interface {
	Stores() []Store
}

// A Registry holds the stores by their names, and what routes to them.
type Registry struct {
	stores []Store
	routes map[string]string // by type
}

// RegistryOf returns the built-in stores, those of the rooms that provide some, and those of the
// settings, which may also change the limits of the others and the routes. The first store with a
// name counts.
func RegistryOf(all []room.Room, s settings.Items) *Registry {
	r := &Registry{routes: map[string]string{}, stores: []Store{
		{
			Name: gating.Working, Searchable: true, PerSession: true, Max: s.MaxWorking, First: true, Guard: s.Guard,
			Overflow: gating.Episodic, Retention: asItsSession, Gated: true,
		},
		{Name: gating.Episodic, AppendOnly: true, Searchable: true, Max: s.MaxEpisodic, Retention: "year", Gated: true},
		{
			Name: gating.Semantic, Versioned: true, Searchable: true, Max: s.MaxSemantic, Retention: "forever",
			Gated: true,
		},
		{
			Name: gating.Conversation, AppendOnly: true, Searchable: true, PerSession: true, Max: s.MaxConversation,
			First: true, Retention: "quarter",
		},
	}}
	for _, one := range all {
		if provider, is := one.(Provider); is {
			for _, store := range provider.Stores() {
				r.add(store)
			}
		}
	}
	for _, t := range s.MemoryTypes {
		r.add(Store{
			Name: t.Name, AppendOnly: true, Searchable: true, Max: t.Max, First: true, Guard: s.Guard,
			Retention: t.Retention, Gated: true,
		})
	}
	for _, route := range s.Routes {
		r.routes[route.Type] = route.Store
	}
	return r
}

func (r *Registry) add(store Store) {
	if _, there := r.Store(store.Name); there {
		return
	}
	r.stores = append(r.stores, store)
	for _, typ := range store.Types {
		r.routes[typ] = store.Name
	}
}

// Stores returns all stores: the built-in ones first.
func (r *Registry) Stores() []Store { return slices.Clone(r.stores) }

// Store returns the store with a name.
func (r *Registry) Store(name string) (Store, bool) {
	for _, store := range r.stores {
		if store.Name == name {
			return store, true
		}
	}
	return Store{}, false
}

// putsAway puts an item that leaves a store, because that is over its limit, into the store for it. It reports whether
// there is one, and the item is no summary of what was put away.
func (r *Registry) putsAway(from Store, item *Item) bool {
	into, there := r.Store(from.Overflow)
	if !there || isSummary(*item) {
		return false
	}
	item.Store, item.Hidden = into.Name, !into.Searchable
	return true
}

// route returns the store for a new item, and why.
func (r *Registry) route(p gating.Piece) (store Store, why string) {
	name, why := gating.Route(p, r.routes)
	store, there := r.Store(name)
	if !there { // a route of the settings to a store that does not exist
		name, why = gating.Route(p, nil)
		store, _ = r.Store(name)
	}
	return store, why
}

// storeOf returns the store to which the settings route a type, or else the one with a name, which is built in.
func (r *Registry) storeOf(typ, name string) Store {
	if store, there := r.Store(r.routes[typ]); there {
		return store
	}
	store, _ := r.Store(name)
	return store
}

// Types returns the types of items that are routed by the description of a store or by the settings.
func (r *Registry) Types() []string { return slices.Sorted(maps.Keys(r.routes)) }

// names returns the names of the stores.
func (r *Registry) names() []string {
	var names []string
	for _, store := range r.stores {
		names = append(names, store.Name)
	}
	return names
}
